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

  /** Whether the limit is still to come, and is to be applied before that of all queries. */
  boolean isAhead(long millisOfAll) {
    if (rows != null) {
      return millis <= millisOfAll && !rows.hasPassed(); // a part is better than a failure
    }
    return millis > 0 && millis < millisOfAll;
  }
}
