package hourglass.query.scan;

import hourglass.query.AnswersFullException;
import hourglass.query.fair.AnswerBytes;
import hourglass.store.RowEntry;
import java.util.List;

/**
 * The memory of one {@link HourWalk}: directories of hours that are known and not finished, and the
 * slices of the largest hour so far. The account never shrinks, so that a long answer cannot fail
 * midway for lack of memory that it had before. Thread-safe.
 */
final class HeldBytes {
  private final AnswerBytes.Account account;

  // Guarded by this:
  private long directories;
  private long slices;
  private long taken;

  HeldBytes(AnswerBytes.Account account) {
    this.account = account;
  }

  /**
   * Adds the directory of an hour.
   *
   * @return the rows
   * @throws AnswersFullException if memory is short
   */
  synchronized List<RowEntry> directory(List<RowEntry> rows) {
    directories += DirectoryScan.ROW_BYTES * rows.size();
    grow();
    return rows;
  }

  /** Removes the directory of an hour. */
  synchronized void leave(List<RowEntry> rows) {
    directories -= DirectoryScan.ROW_BYTES * rows.size();
  }

  /**
   * Adds the slices of an hour.
   *
   * @throws AnswersFullException if memory is short
   */
  synchronized void slices(long bytes) {
    slices = Math.max(slices, bytes);
    grow();
  }

  private void grow() {
    long more = directories + slices - taken;
    if (more > 0) {
      account.take(more);
      taken += more;
    }
  }
}
