package hourglass.ingest;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that requests may hold together, from the first byte of a body to its answer. Memory
 * is reserved before it is used, so that clients cannot take more than there is. Safe for use by
 * any number of threads.
 */
public final class InFlightBytes {
  private final long max;
  private final AtomicLong used = new AtomicLong();

  public InFlightBytes(long max) {
    this.max = max;
  }

  public long used() {
    return used.get();
  }

  /** Whether so much could be reserved now. */
  public boolean hasRoom(long bytes) {
    return bytes <= max - used.get();
  }

  /** A reservation of nothing yet. */
  public Reservation reservation() {
    return new Reservation();
  }

  /** What one request holds. Safe for use by any number of threads; once released it stays so. */
  public final class Reservation {
    private long held;
    private boolean released;

    private Reservation() {}

    /** Holds so much more; false, with nothing changed, if there is no room or it was released. */
    public synchronized boolean add(long bytes) {
      if (released || used.addAndGet(bytes) > max) {
        if (!released) {
          used.addAndGet(-bytes);
        }
        return false;
      }
      held += bytes;
      return true;
    }

    /** Holds so much less. */
    public synchronized void subtract(long bytes) {
      if (!released) {
        held -= bytes;
        used.addAndGet(-bytes);
      }
    }

    /** Holds nothing from now on. */
    public synchronized void release() {
      if (!released) {
        released = true;
        used.addAndGet(-held);
      }
    }
  }
}
