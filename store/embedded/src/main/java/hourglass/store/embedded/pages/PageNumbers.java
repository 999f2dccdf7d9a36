package hourglass.store.embedded.pages;

/**
 * Assigns page numbers that are unique within a store: the first log segment of this process, which
 * never repeats, and a counter. Not thread-safe.
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
