package hourglass.store.embedded;

/**
 * Numbers for pages, never used twice within a store: the log segment that was begun at the start
 * of the process, which never repeats, and a counter. Not thread-safe.
 */
final class PageNumbers {
  private static final int COUNTER_BITS = 32;

  private final long session;
  private long counter;

  PageNumbers(long firstSegment) {
    session = firstSegment << COUNTER_BITS;
  }

  long next() {
    return session | counter++;
  }
}
