package hourglass.store.embedded.pages;

/**
 * Numbers for pages, never used twice within a store: the log segment that was begun at the start
 * of the process, which never repeats, and a counter. Not thread-safe.
 */
public final class PageNumbers {
  private static final int COUNTER_BITS = 32;

  private final long session;
  private long counter;

  public PageNumbers(long firstSegment) {
    session = firstSegment << COUNTER_BITS;
  }

  long next() {
    return session | counter++;
  }
}
