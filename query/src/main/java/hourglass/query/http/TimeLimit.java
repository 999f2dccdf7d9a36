package hourglass.query.http;

import hourglass.query.scan.RowDeadline;
import org.jspecify.annotations.Nullable;

/**
 * The time limit that a request gives its query.
 *
 * @param millis how long it may run, without waits; 0: as long as the options allow
 * @param rows ends the reads of rows then, and the answer is a partial one; null if it fails
 */
record TimeLimit(long millis, @Nullable RowDeadline rows) {
  static final TimeLimit NONE = new TimeLimit(0, null);

  /** Whether the limit is still to come, and sooner than that of all queries. */
  boolean isAhead(long millisOfAll) {
    return millis > 0 && millis < millisOfAll && (rows == null || !rows.hasPassed());
  }
}
