package hourglass.query.fair;

import hourglass.query.AnswerFacts;

/** The body of one answer. Used by the thread of the query. */
public interface AnswerBody {

  /**
   * Writes the whole body, waits for the store where it must, and returns the facts of the answer.
   *
   * @throws RuntimeException if the store failed, or the query has ended; the answer ends here
   */
  AnswerFacts write(AnswerOutput out, QueryThread thread);

  /** Writes what is due between two events, such as a line of progress. */
  default void writeDue(AnswerOutput out) {}

  /**
   * Whether a chunk that is not full should be sent soon, such as one with the event that a filter
   * found.
   */
  default boolean hasFound() {
    return false;
  }

  /** Frees prefetched data while the thread waits for the client. */
  default void dropAhead() {}
}
