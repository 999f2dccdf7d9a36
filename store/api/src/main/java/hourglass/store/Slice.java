package hourglass.store;

import hourglass.bucketing.TimeUuid;
import org.jspecify.annotations.Nullable;

/**
 * A part of a row.
 *
 * @param columns ascending for both orders; a descending query returns the last columns of its
 *     range. Never empty if {@code more}.
 * @param more whether the range may contain columns besides these
 * @param resumeAt a hint for the engine in the query that continues: it need not read again up to
 *     this name; null if unknown. With the hint, a column that is written between the two queries
 *     may be missing from the next slice, like a column that is written before the first one of
 *     this slice.
 */
public record Slice(Columns columns, boolean more, @Nullable TimeUuid resumeAt) {
  public Slice(Columns columns, boolean more) {
    this(columns, more, null);
  }

  public Slice {
    if (more && columns.isEmpty()) {
      throw new IllegalArgumentException("slice: more to come, but nothing to continue from");
    }
  }
}
