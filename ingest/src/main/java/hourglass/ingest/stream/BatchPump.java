package hourglass.ingest.stream;

import hourglass.access.Failures;
import hourglass.access.LimitExceededException;
import hourglass.access.Refusal;
import hourglass.store.OverloadedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the batches of one source, a few at a time, until each item is stored or rejected.
 *
 * <pre>
 * a write that                                  then
 * succeeds                                      the batch is done, as a rule once all before it are
 * fails, since the store is away or busy        is repeated after a pause, which doubles
 * fails so many times with a busy store         is halved: a smaller one may fit
 * fails three times for good                    is halved, until the items at fault are alone; they
 *                                               are rejected
 * </pre>
 *
 * <p>The source gathers items into the next batch while {@link #hasRoom} returns false. So its
 * writes grow with the load, and few items need not wait for others. Thread-safe; it calls its sink
 * without a lock, on the thread that adds a batch, completes a write or ends a pause.
 */
public final class BatchPump<B> {
  private static final Logger logger = LoggerFactory.getLogger(BatchPump.class);

  /**
   * The failures in a row after which a batch is halved, so that a chance failure gets three tries.
   */
  private static final int REFUSALS = 3;

  /** The tries of a whole batch with a busy store before it is halved. */
  private static final int BUSY_TRIES = 8;

  private final Sink<B> sink;
  private final Delay delay;
  private final Pauses pauses;
  private final int writesMax;

  /**
   * The batches that are not done, in order. The lock of this object guards the list and all fields
   * below.
   */
  private final List<Write> queue = new ArrayList<>();

  /** Whether a thread is in {@link #turn}. */
  private boolean isTurning;

  private boolean isClosed;

  /** Receives the batches of a source. */
  public interface Sink<B> {
    /** Returns the number of items. An empty batch is done at once. */
    int size(B batch);

    /** Divides a batch of several items into parts, in order. */
    List<B> halves(B batch);

    /** Begins to write a batch. Items that it stores again after a failure must not count twice. */
    CompletionStage<?> write(B batch);

    /** Rejects the only item of a batch. */
    CompletionStage<?> reject(B batch, Throwable failure);

    /** Ends a batch each of whose items is stored or rejected. */
    void done(B batch);

    /** Returns whether a batch is done only after all before it, as offsets require. */
    default boolean keepsOrder() {
      return true;
    }

    /**
     * Returns whether to continue after a failure; else the pump is closed.
     *
     * @param failures failures in a row, of this batch and of larger ones that contained it; a
     *     failure above a limit of its client does not count
     */
    boolean goesOn(B batch, Throwable failure, int failures);

    /** Ends a batch of a closed pump, of which nothing is being written any more. */
    default void dropped(B batch) {
      // Few sinks hold resources for a batch.
    }
  }

  /** Runs a task later, on any thread. */
  @FunctionalInterface
  public interface Delay {
    void run(long millis, Runnable task);
  }

  /** The pauses between tries: the first, and the longest. */
  public record Pauses(long firstMillis, long mostMillis) {
    public static final Pauses DEFAULTS = new Pauses(100, 5_000);
  }

  private enum State {
    READY,
    WRITING,
    PAUSED,
    DONE
  }

  private final class Write {
    private final B batch;
    private State state = State.READY;
    private long pauseMillis = pauses.firstMillis;
    private int failures;

    /** The number of failures for good in a row. */
    private int refusals;

    /** The failure for which the item is being rejected; null while it is written. */
    private @Nullable Throwable rejectedFor;

    private Write(B batch) {
      this.batch = batch;
    }

    /** Returns the pause before the next try, longer each time. */
    private long takePause(Throwable failure) {
      long millis = pauseMillis;
      pauseMillis = Math.min(2 * pauseMillis, pauses.mostMillis);
      return failure instanceof LimitExceededException limit
          ? Math.min(TimeUnit.SECONDS.toMillis(limit.retryAfterSeconds()), pauses.mostMillis)
          : millis;
    }
  }

  /** Creates a pump with at most so many writes at the same time. */
  public BatchPump(Sink<B> sink, Delay delay, Pauses pauses, int writesMax) {
    this.sink = sink;
    this.delay = delay;
    this.pauses = pauses;
    this.writesMax = writesMax;
  }

  /**
   * Returns whether to add the next batch now: no batch is under way, or the next one is full and
   * there may be another write.
   */
  public synchronized boolean hasRoom(boolean isFull) {
    return queue.isEmpty() || isFull && queue.size() < writesMax;
  }

  /** Adds a batch after the others, and begins to write it if possible. */
  public void add(B batch) {
    synchronized (this) {
      queue.add(new Write(batch));
    }
    turn();
  }

  /** Begins no more writes, and drops batches: at once, or when their write has ended. */
  public void close() {
    synchronized (this) {
      isClosed = true;
    }
    turn();
  }

  private synchronized boolean isClosed() {
    return isClosed;
  }

  public synchronized boolean isEmpty() {
    return queue.isEmpty();
  }

  /** Returns whether a write is under way, and not between two tries. */
  public synchronized boolean isWriting() {
    return queue.stream().anyMatch(write -> write.state == State.WRITING);
  }

  /** Returns the failures in a row of the batch that has the most. */
  public synchronized int failures() {
    return queue.stream().mapToInt(write -> write.failures).max().orElse(0);
  }

  /** Returns the batches that are not done, in order. */
  public synchronized List<B> batches() {
    return queue.stream().map(write -> write.batch).toList();
  }

  /**
   * Does all that can be done now. One thread at a time does it, including the steps that other
   * threads make possible.
   */
  private void turn() {
    for (Runnable step = next(false); step != null; step = next(true)) {
      try {
        step.run();
      } catch (RuntimeException | Error e) { // must not stop the batches behind
        logger.error("a batch was not ended as it should be", e);
      }
    }
  }

  private synchronized @Nullable Runnable next(boolean isMyTurn) {
    if (isTurning && !isMyTurn) {
      return null;
    }
    Runnable step = isClosed ? nextDrop() : next();
    isTurning = step != null;
    return step;
  }

  private @Nullable Runnable nextDrop() {
    for (Write write : queue) {
      if (write.state != State.WRITING) {
        queue.remove(write);
        return () -> sink.dropped(write.batch);
      }
    }
    return null;
  }

  private @Nullable Runnable next() {
    for (Write write : sink.keepsOrder() ? first(1) : queue) {
      if (write.state == State.DONE) {
        queue.remove(write);
        return () -> sink.done(write.batch);
      }
    }
    // halves of one batch come before batches that are being written, so the place is not enough
    boolean isFull =
        queue.stream().filter(write -> write.state == State.WRITING).count() >= writesMax;
    for (Write write : first(writesMax)) {
      if (write.state == State.READY && !isFull) {
        write.state = State.WRITING;
        return () -> begin(write);
      }
    }
    return null;
  }

  private List<Write> first(int count) {
    return queue.subList(0, Math.min(count, queue.size()));
  }

  private void begin(Write write) {
    CompletionStage<?> stage;
    try {
      if (sink.size(write.batch) == 0) {
        stage = CompletableFuture.completedFuture(null);
      } else if (write.rejectedFor == null) {
        stage = sink.write(write.batch);
      } else {
        stage = sink.reject(write.batch, write.rejectedFor);
      }
    } catch (RuntimeException | Error e) {
      stage = CompletableFuture.failedFuture(e);
    }
    var unused =
        stage.whenComplete(
            (result, failure) -> {
              if (failure == null) {
                change(write, State.DONE);
              } else {
                failed(write, Failures.cause(failure));
              }
            });
  }

  private void change(Write write, State to) {
    synchronized (this) {
      write.state = to;
    }
    turn();
  }

  private void failed(Write write, Throwable failure) {
    try {
      judge(write, failure);
    } catch (RuntimeException | Error e) {
      logger.error("a batch is tried again whole", e);
      pause(write, failure);
    }
  }

  private void judge(Write write, Throwable failure) {
    boolean isBusy = failure instanceof OverloadedException;
    boolean isOne = sink.size(write.batch) == 1;
    synchronized (this) {
      write.failures += failure instanceof LimitExceededException ? 0 : 1;
      write.refusals = isForGood(failure) ? write.refusals + 1 : 0;
    }
    if (isClosed() || !sink.goesOn(write.batch, failure, write.failures)) {
      close();
      change(write, State.DONE);
    } else if (write.refusals >= REFUSALS && isOne && write.rejectedFor == null) {
      write.rejectedFor = failure;
      change(write, State.READY);
    } else if (!isOne
        && (write.refusals >= REFUSALS || isBusy && write.failures % BUSY_TRIES == 0)) {
      halve(write);
    } else {
      pause(write, failure);
    }
  }

  private void pause(Write write, Throwable failure) {
    change(write, State.PAUSED);
    delay.run(write.takePause(failure), () -> change(write, State.READY));
  }

  /**
   * Returns whether the same write would fail again. A store that is away, full or busy may accept
   * it later, and so may a machine. Of all errors, only an overflow of the stack may be the fault
   * of an item.
   */
  private static boolean isForGood(Throwable failure) {
    boolean isOfMachine = failure instanceof Error && !(failure instanceof StackOverflowError);
    return !(Refusal.passes(failure) || failure instanceof CancellationException || isOfMachine);
  }

  private void halve(Write whole) {
    List<Write> parts = new ArrayList<>();
    for (B batch : sink.halves(whole.batch)) {
      Write part = new Write(batch);
      part.failures = whole.failures;
      part.refusals = whole.refusals;
      parts.add(part);
    }
    synchronized (this) {
      int at = queue.indexOf(whole);
      queue.addAll(at + 1, parts); // without memory for them, the whole stays
      queue.remove(at);
    }
    turn();
  }
}
