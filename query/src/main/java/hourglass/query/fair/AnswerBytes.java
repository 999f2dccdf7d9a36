package hourglass.query.fair;

import hourglass.access.SharedRoom;
import hourglass.query.AnswersFullException;
import hourglass.query.BadParameterException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The memory that all answers in progress hold together: directories, slices, counts, and output
 * not yet sent. Each has an {@link Account}, which takes memory before filling it.
 *
 * <pre>
 * 0 |-- other clients --|---- any answer ----|-- that holds little --|-- nobody --| max
 *                       |<------------- what is left to this client ------------->|
 * </pre>
 *
 * So large answers cannot lock out small ones, and no client locks out another: each leaves an
 * eighth of what the others left to it. Thread-safe.
 */
public final class AnswerBytes {
  /** A page of typical events, with its chunks, holds less. */
  static final long LITTLE_BYTES = 3 << 20;

  private final long max;

  /** What each client holds. To compare and to add is guarded by this. */
  private final SharedRoom room;

  public AnswerBytes(long max) {
    this.max = max;
    this.room = new SharedRoom(max);
  }

  public long held() {
    return room.total();
  }

  /**
   * Whether one more large answer of a client may begin. Half of its memory is left to those that
   * have begun, as they need more, and a little is left at all.
   */
  public synchronized boolean mayBegin(Object client) {
    Object holder = room.holder(client);
    long held = room.held(holder);
    long left = room.leftByOthers(holder);
    return held <= left / 2 && left - held >= Math.min(2 * LITTLE_BYTES, max / 2);
  }

  /** Clients are compared by equality. */
  public Account open(Object client) {
    return new Account(room.holder(client));
  }

  /** The most that a single answer may hold, when there is no other. */
  private long largeMax() {
    return largePart(max);
  }

  private static long largePart(long left) {
    return left - left / 4;
  }

  private static long littlePart(long left) {
    return left - left / 8;
  }

  private synchronized boolean tryTake(Object holder, long bytes, boolean isLittle) {
    long left = room.leftByOthers(holder);
    if (room.held(holder) + bytes > (isLittle ? littlePart(left) : largePart(left))) {
      return false;
    }
    room.add(holder, bytes);
    return true;
  }

  /** The memory of one answer. Thread-safe. */
  public final class Account implements AutoCloseable {
    private final Object holder;

    // Guarded by this:
    private long mine;
    private boolean closed;

    private Account(Object holder) {
      this.holder = holder;
    }

    /**
     * Takes memory.
     *
     * @throws AnswersFullException if the answers of this client, or of all, hold too much
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
        if (mine + bytes > largeMax()) {
          throw new BadParameterException(
              "the answer would hold more than %d bytes of memory; want fewer types or a shorter range"
                  .formatted(largeMax()));
        }
      }
      throw new AnswersFullException(max);
    }

    /** Returns false, and takes none, if memory is short or the answer has ended. */
    public synchronized boolean tryTake(long bytes) {
      if (closed || !AnswerBytes.this.tryTake(holder, bytes, mine + bytes <= LITTLE_BYTES)) {
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
        room.release(holder, bytes);
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
        room.release(holder, mine);
        mine = 0;
      }
    }
  }
}
