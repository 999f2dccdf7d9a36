package hourglass.query.fair;

import hourglass.access.SharedRoom;
import hourglass.access.SharedRoom.Leaves;
import hourglass.query.AnswersFullException;
import hourglass.query.BadParameterException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The memory that all answers in progress hold together: directories, slices, counts, and output
 * that is not yet sent. Each has an {@link Account}, which reserves memory before it is filled.
 *
 * <pre>
 * 0 |-- other clients --|---- any answer ----|-- that holds little --|-- nobody --| max
 *                       |<-------------- memory left to this client ------------->|
 * </pre>
 *
 * Large answers therefore cannot lock out small ones, and no client locks out another: each leaves
 * an eighth of the memory that the others left to it. Thread-safe.
 */
public final class AnswerBytes {
  /**
   * The most memory of an answer that holds little. A page of typical events, with its chunks,
   * holds less.
   */
  static final long LITTLE_BYTES = 3 << 20;

  private final long max;

  /** The memory that each client holds. */
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
   * have begun, as they need more, and at least a little must be free.
   */
  public boolean mayBegin(Object client) {
    Object holder = room.holder(client);
    long held = room.held(holder);
    long left = room.leftByOthers(holder);
    return held <= left / 2 && left - held >= Math.min(2 * LITTLE_BYTES, max / 2);
  }

  /** Opens the account of an answer. Clients are compared by equality. */
  public Account open(Object client) {
    return new Account(room.holder(client));
  }

  /** The memory of one answer. Thread-safe. */
  public final class Account implements AutoCloseable {
    private final SharedRoom.Account mine;

    private Account(Object holder) {
      this.mine = room.open(holder);
    }

    /**
     * Reserves memory.
     *
     * @throws AnswersFullException if the answers of this client, or of all, hold too much
     * @throws BadParameterException if this answer alone would hold too much
     * @throws CancellationException if the answer has ended
     */
    public void take(long bytes) {
      if (tryTake(bytes)) {
        return;
      }
      if (mine.isClosed()) {
        throw new CancellationException("the answer has ended");
      }
      if (mine.held() + bytes > room.ofOne()) {
        throw new BadParameterException(
            "the answer would hold more than %d bytes of memory; want fewer types or a shorter range"
                .formatted(room.ofOne()));
      }
      throw new AnswersFullException(max);
    }

    /**
     * Reserves memory. Returns false, and reserves none, if memory is short or the answer has
     * ended.
     */
    public synchronized boolean tryTake(long bytes) {
      boolean isLittle = mine.held() + bytes <= LITTLE_BYTES;
      return mine.tryTake(bytes, isLittle ? Leaves.EIGHTH : Leaves.QUARTER);
    }

    /** Reserves memory during some work. The stage fails as {@link #take} or the work does. */
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

    public void give(long bytes) {
      mine.give(bytes);
    }

    /** Returns the bytes that are reserved. */
    public long held() {
      return mine.held();
    }

    /** Releases all memory but {@code bytes}. */
    public void keep(long bytes) {
      mine.keep(bytes);
    }

    /** Releases all memory and refuses more. Idempotent. */
    @Override
    public void close() {
      mine.close();
    }
  }
}
