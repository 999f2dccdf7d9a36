package hourglass.query;

/**
 * The body of one answer, written chunk by chunk at the client's pace. Never blocks. Used by one
 * thread at a time, except {@link #cancel}.
 */
public interface AnswerBody {

  /**
   * Appends to a chunk as much as fits.
   *
   * @return FULL, PAUSED, WAITING (see {@link #whenReady}) or DONE
   * @throws RuntimeException if the store failed; the answer ends here
   */
  Progress fill(Chunk chunk);

  /** Calls {@code wake} once, from any thread, when another {@link #fill} is worthwhile. */
  void whenReady(Runnable wake);

  /** Returns the facts of the answer. Called only after DONE. */
  AnswerFacts facts();

  /**
   * Whether a chunk that is not full should be sent soon, such as one with the event that a filter
   * found.
   */
  default boolean hasFound() {
    return false;
  }

  default long rowsRead() {
    return 0;
  }

  default long columnsRead() {
    return 0;
  }

  /** Frees prefetched data. */
  default void dropAhead() {}

  /** Stops reading the store. May be called from any thread. */
  void cancel();
}
