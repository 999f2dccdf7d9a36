package hourglass.config.gate;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The time since when a connection has no request under way, until another client gets its place.
 * Thread-safe.
 */
final class IdleClock {
  /** In place of the time since when it is idle: a request is under way. */
  private static final long IN_USE = Long.MAX_VALUE;

  /** In place of the same time: another client got the place. */
  private static final long EVICTED = Long.MIN_VALUE;

  /** In nanoseconds; {@link #IN_USE} and {@link #EVICTED} exclude each other by this one value. */
  private final AtomicLong since = new AtomicLong(System.nanoTime());

  /** By {@link System#nanoTime}; now if a request is under way. */
  long idleSince() {
    long known = since.get();
    return known == IN_USE || known == EVICTED ? System.nanoTime() : known;
  }

  /** Whether the connection has been idle since then; if so, it is never used again. */
  boolean evict(long idleSince) {
    return since.compareAndSet(idleSince, EVICTED);
  }

  boolean isEvicted() {
    return since.get() == EVICTED;
  }

  /** A request begins; false if the place is lost. */
  boolean use() {
    return since.updateAndGet(known -> known == EVICTED ? EVICTED : IN_USE) == IN_USE;
  }

  /** The last request under way has ended. */
  void rest() {
    since.compareAndSet(IN_USE, System.nanoTime());
  }
}
