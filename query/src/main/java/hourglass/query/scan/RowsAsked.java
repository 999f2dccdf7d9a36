package hourglass.query.scan;

import hourglass.bucketing.RowKey;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Counts the rows that an answer read. Used by one thread at a time. */
final class RowsAsked {
  private final @Nullable Set<RowKey> seen;
  private long rows;

  private RowsAsked(@Nullable Set<RowKey> seen) {
    this.seen = seen;
  }

  /** For a single pass, which reads each row once. */
  static RowsAsked byOneWalk() {
    return new RowsAsked(null);
  }

  /** For several passes over shared rows; each row counts once. */
  static RowsAsked bySeveralWalks() {
    return new RowsAsked(new HashSet<>());
  }

  void add(RowKey row) {
    if (seen == null || seen.add(row)) {
      rows++;
    }
  }

  long rows() {
    return rows;
  }
}
