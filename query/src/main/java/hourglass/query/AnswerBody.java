package hourglass.query;

/**
 * The body of one answer, written chunk by chunk at the taker's pace. It never blocks. Used by one
 * thread at a time, except {@link #cancel}.
 */
public interface AnswerBody {

  /**
   * Writes as much as there is room for behind what a chunk holds.
   *
   * @return FULL, PAUSED, WAITING (see {@link #whenReady}) or DONE
   * @throws RuntimeException as the store failed; then the answer is broken and ends here
   */
  Progress fill(Chunk chunk);

  /** Calls back once, from any thread, when {@link #fill} is worth another try. */
  void whenReady(Runnable wake);

  /** What is known of the answer; only after DONE. */
  AnswerFacts facts();

  /** Whether the query chooses among the events that it reads, and has found one. */
  default boolean hasFound() {
    return false;
  }

  /** Rows that the answer asked so far. */
  default long rowsRead() {
    return 0;
  }

  /** Columns that the store answered so far. */
  default long columnsRead() {
    return 0;
  }

  /** Lets go of what was fetched ahead; for an answer that its client does not take now. */
  default void dropAhead() {}

  /** Asks the store for nothing more. Safe from any thread. */
  void cancel();
}
