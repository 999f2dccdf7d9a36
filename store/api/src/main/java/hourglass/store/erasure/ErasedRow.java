package hourglass.store.erasure;

import hourglass.bucketing.RowKey;
import hourglass.store.Columns;

/**
 * Columns of one row that are erased.
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
