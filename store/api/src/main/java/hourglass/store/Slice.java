package hourglass.store;

import hourglass.bucketing.TimeUuid;
import org.jspecify.annotations.Nullable;

/**
 * A part of a row.
 *
 * @param columns ascending for both orders; a descending query returns the last ones of its range.
 *     Never empty if {@code more}.
 * @param more whether the range may hold columns beyond these
 * @param resumeAt for the engine, in the query that continues: up to where it need not read again;
 *     null if unknown. With it, a write between the two queries may be left out of the next slice,
 *     as one before the first of its columns would be.
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
