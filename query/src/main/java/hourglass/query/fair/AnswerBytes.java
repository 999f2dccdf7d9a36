package hourglass.query.fair;

import hourglass.query.AnswersFullException;
import hourglass.query.BadParameterException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The memory that all answers under way hold together: directories, slices, counts, and what is on
 * its way to clients. Each answer has an {@link Account}, which takes memory before it is filled
 * and is closed with the answer.
 *
 * <pre>
 * 0 |------- any answer -------|-- answers that hold little --| max
 * </pre>
 *
 * The last quarter is for answers that hold little, so that large ones cannot lock out small ones.
 * Thread-safe.
 */
public final class AnswerBytes {
  /** A page of usual events, with its chunks, holds less. */
  static final long LITTLE_BYTES = 3 << 20;

  private final long max;
  private final long largeMax;
  private final AtomicLong held = new AtomicLong();

  /**
   * @param max of all answers together, in bytes
   */
  public AnswerBytes(long max) {
    this.max = max;
    largeMax = max - max / 4;
  }

  /** What all answers hold now, in bytes. */
  public long held() {
    return held.get();
  }

  /**
   * Whether one more large answer may begin: those that have begun take more as they go on, so half
   * of all is left to them.
   */
  public boolean mayBegin() {
    return held.get() <= max / 2;
  }

  /** An account that holds nothing yet. */
  public Account open() {
    return new Account();
  }

  /** What one answer holds. Thread-safe. */
  public final class Account implements AutoCloseable {
    // Guarded by this:
    private long mine;
    private boolean closed;

    private Account() {}

    /**
     * Holds more.
     *
     * @throws AnswersFullException if other answers hold too much
     * @throws BadParameterException if this one alone would hold too much
     * @throws CancellationException if the answer has ended
     */
    public void take(long bytes) {
      if (tryTake(bytes)) {
        return;
      }
      synchronized (this) {
        if (closed) {
          throw new CancellationException("the answer has ended");
        }
        if (mine + bytes > largeMax) {
          throw new BadParameterException(
              "the answer would hold more than %d bytes of memory; want fewer types or a shorter range"
                  .formatted(largeMax));
        }
      }
      throw new AnswersFullException(max);
    }

    /** Holds more; false, with nothing changed, if there is no room or the answer has ended. */
    public synchronized boolean tryTake(long bytes) {
      long allowed = mine + bytes <= LITTLE_BYTES ? max : largeMax;
      if (closed) {
        return false;
      }
      if (held.addAndGet(bytes) > allowed) {
        held.addAndGet(-bytes);
        return false;
      }
      mine += bytes;
      return true;
    }

    /**
     * Holds more while some work goes on.
     *
     * @return fails as {@link #take} does, or as the work
     */
    public <T> CompletionStage<T> during(long bytes, Supplier<CompletionStage<T>> work) {
      try {
        take(bytes);
      } catch (RuntimeException e) {
        return CompletableFuture.failedFuture(e);
      }
      CompletionStage<T> done;
      try {
        done = work.get();
      } catch (RuntimeException e) {
        done = CompletableFuture.failedFuture(e);
      }
      return done.whenComplete((result, failure) -> give(bytes));
    }

    /** Holds less. */
    public synchronized void give(long bytes) {
      if (!closed) {
        mine -= bytes;
        held.addAndGet(-bytes);
      }
    }

    /** Holds no more than so much of what it holds. */
    public synchronized void keep(long bytes) {
      if (mine > bytes) {
        give(mine - bytes);
      }
    }

    /** Holds nothing from now on; any number of times. */
    @Override
    public synchronized void close() {
      if (!closed) {
        closed = true;
        held.addAndGet(-mine);
        mine = 0;
      }
    }
  }
}
