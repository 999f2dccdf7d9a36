package hourglass.store.erasure;

import hourglass.bucketing.RowKey;
import hourglass.store.Columns;

/**
 * Columns that are erased of one row, and of all other rows of its type hour: a retry may have
 * written an event to two of them.
 *
 * @param names at least one, without payloads; the row may no longer contain them
 */
public record ErasedRow(RowKey row, Columns names) {
  public ErasedRow {
    if (names.isEmpty()) {
      throw new IllegalArgumentException("erased columns of " + row + ": none");
    }
  }
}
