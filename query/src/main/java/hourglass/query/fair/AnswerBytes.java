package hourglass.query.fair;

import hourglass.query.AnswersFullException;
import hourglass.query.BadParameterException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The memory that all answers in progress hold together: directories, slices, counts, and output
 * not yet sent. Each has an {@link Account}, which takes memory before filling it.
 *
 * <pre>
 * 0 |------- any answer -------|-- answers that hold little --| max
 * </pre>
 *
 * So large answers cannot lock out small ones. Thread-safe.
 */
public final class AnswerBytes {
  /** A page of typical events, with its chunks, holds less. */
  static final long LITTLE_BYTES = 3 << 20;

  private final long max;
  private final long largeMax;
  private final AtomicLong held = new AtomicLong();

  public AnswerBytes(long max) {
    this.max = max;
    largeMax = max - max / 4;
  }

  public long held() {
    return held.get();
  }

  /**
   * Whether one more large answer may begin. Half of the memory is left to those that have begun,
   * as they need more.
   */
  public boolean mayBegin() {
    return held.get() <= max / 2;
  }

  public Account open() {
    return new Account();
  }

  /** The memory of one answer. Thread-safe. */
  public final class Account implements AutoCloseable {
    // Guarded by this:
    private long mine;
    private boolean closed;

    private Account() {}

    /**
     * Takes memory.
     *
     * @throws AnswersFullException if other answers hold too much
     * @throws BadParameterException if this answer alone would hold too much
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

    /** Returns false, and takes none, if memory is short or the answer has ended. */
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

    /** Holds memory during some work. The stage fails as {@link #take} does, or as the work. */
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

    public synchronized void give(long bytes) {
      if (!closed) {
        mine -= bytes;
        held.addAndGet(-bytes);
      }
    }

    /** Releases all but {@code bytes}. */
    public synchronized void keep(long bytes) {
      if (mine > bytes) {
        give(mine - bytes);
      }
    }

    /** Releases all memory and refuses more. Idempotent. */
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
