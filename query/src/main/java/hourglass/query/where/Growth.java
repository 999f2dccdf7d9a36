package hourglass.query.where;

/**
 * How much an expression may make over one event, in characters of text, bytes and elements of
 * lists together. Without a bound {@code ["x"].map(a, a + a).map(a, a + a)} and so on doubles until
 * no memory is left. Counted by thread, since an evaluation stays in one.
 */
final class Growth {
  /** As much as the largest event has by default. */
  static final int MAX = 1 << 20;

  private static final ThreadLocal<int[]> LEFT = ThreadLocal.withInitial(() -> new int[1]);

  /**
   * More was to be made. An error and no exception, because {@code &&} and {@code ||} of the
   * language go on after exceptions.
   */
  static final class ExceededError extends Error {
    private static final long serialVersionUID = 1L;

    private ExceededError() {
      super("more than " + MAX + " characters and elements", null, false, false);
    }
  }

  private Growth() {}

  /** Begins with the next event. */
  static void begin() {
    LEFT.get()[0] = MAX;
  }

  /**
   * Counts what is about to be made.
   *
   * @throws ExceededError if it is too much together with all before
   */
  static void count(long size) {
    int[] left = LEFT.get();
    if (size > left[0]) {
      throw new ExceededError();
    }
    left[0] -= (int) size;
  }
}
