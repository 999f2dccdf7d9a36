package hourglass.config.gate;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures since when a connection has had no request under way, until another client gets its
 * place. Thread-safe.
 */
final class IdleClock {
  /** The value of {@link #since} while a request is under way. */
  private static final long IN_USE = Long.MAX_VALUE;

  /** The value of {@link #since} after another client got the place. */
  private static final long EVICTED = Long.MIN_VALUE;

  /**
   * The time in nanoseconds since when the connection has been idle, or {@link #IN_USE} or {@link
   * #EVICTED}. One value holds all three, so that they exclude each other.
   */
  private final AtomicLong since = new AtomicLong(System.nanoTime());

  /**
   * Returns the {@link System#nanoTime} since when the connection has been idle, or the current
   * time if a request is under way.
   */
  long idleSince() {
    long known = since.get();
    return known == IN_USE || known == EVICTED ? System.nanoTime() : known;
  }

  /**
   * Evicts the connection if it has been idle since the given time. Returns whether it was evicted,
   * in which case it is never used again.
   */
  boolean evict(long idleSince) {
    return since.compareAndSet(idleSince, EVICTED);
  }

  boolean isEvicted() {
    return since.get() == EVICTED;
  }

  /** Notes that a request begins. Returns false if the connection was evicted. */
  boolean use() {
    return since.updateAndGet(known -> known == EVICTED ? EVICTED : IN_USE) == IN_USE;
  }

  /** Notes that the last request under way has ended. */
  void rest() {
    since.compareAndSet(IN_USE, System.nanoTime());
  }
}
