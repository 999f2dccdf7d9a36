package hourglass.query.scan;

import hourglass.query.AnswersFullException;
import hourglass.query.fair.AnswerBytes;
import hourglass.store.RowEntry;
import java.util.List;

/**
 * The memory that one walk over hours holds: the directories of the hours that are known and not
 * read yet, and the slices of the largest of those read so far. What was held once stays taken, so
 * that a long answer does not fail midway for want of what it had. Thread-safe.
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
   * Holds the directory of one more hour.
   *
   * @return the rows
   * @throws AnswersFullException if there is no room for it
   */
  synchronized List<RowEntry> directory(List<RowEntry> rows) {
    directories += DirectoryScan.ROW_BYTES * rows.size();
    grow();
    return rows;
  }

  /** No longer holds the directory of an hour. */
  synchronized void leave(List<RowEntry> rows) {
    directories -= DirectoryScan.ROW_BYTES * rows.size();
  }

  /**
   * Holds slices of an hour.
   *
   * @throws AnswersFullException if there is no room for them
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
