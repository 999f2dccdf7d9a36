package hourglass.query.fair;

import com.google.common.util.concurrent.Uninterruptibles;
import hourglass.access.FairExecutor.Lane;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The thread of a query, or of a part of one. It works in the turns of a lane, and has none while
 * it waits. Used by its thread alone, except {@link #wake}.
 */
public class QueryThread {
  /** The longest turn while others wait for one. */
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** The number of events between two reads of the clock. */
  private static final int CLOCK_EVERY = 16;

  /** The clock is also read after an event of at least this size. */
  private static final int LONG_BYTES = 4_096;

  /** The time between two looks for a query that ended without a wake-up. */
  private static final long LOOK_MILLIS = 1_000;

  private final Lane lane;
  private final Runnable idle;
  private final Semaphore wakes = new Semaphore(0);

  /** When the turn began, by the clock of the lane and by that of the machine. */
  private long laneNanos;

  private long begunNanos;

  private boolean hasTurn;
  private int events;
  private BooleanSupplier gone;

  /**
   * @param gone whether the query has ended
   * @param idle called after each turn, and before each wait for the store
   */
  public QueryThread(Lane lane, BooleanSupplier gone, Runnable idle) {
    this.lane = lane;
    this.gone = gone;
    this.idle = idle;
  }

  /**
   * Runs work in a thread of its own. The stage fails as the work does, or with {@link
   * CancellationException} once {@code gone}.
   */
  public static <T> CompletionStage<T> start(
      Executor threads, Lane lane, BooleanSupplier gone, Function<QueryThread, T> work) {
    QueryThread thread = new QueryThread(lane, gone, () -> {});
    return CompletableFuture.supplyAsync(() -> thread.call(work), threads);
  }

  /** Runs work in the calling thread, and returns its result. */
  public <T> T call(Function<QueryThread, T> work) {
    begin();
    try {
      return work.apply(this);
    } finally {
      end();
    }
  }

  /** Runs work in the calling thread. */
  public void run(Runnable work) {
    begin();
    try {
      work.run();
    } finally {
      end();
    }
  }

  /** Does work that also ends, with {@link CancellationException}, once {@code isLate}. */
  public <T> T until(BooleanSupplier isLate, Supplier<T> work) {
    BooleanSupplier before = gone;
    gone = () -> isLate.getAsBoolean() || before.getAsBoolean();
    try {
      return work.get();
    } finally {
      gone = before;
    }
  }

  private void begin() {
    laneNanos = lane.begin();
    begunNanos = System.nanoTime();
    hasTurn = true;
  }

  private void end() {
    if (hasTurn) {
      hasTurn = false;
      lane.end(laneNanos);
    }
  }

  /**
   * Counts the work on one event of {@code bytes}. Gives others a turn if this one was long.
   *
   * @return whether the clock was read, as it is every few events
   * @throws CancellationException once the query is gone
   */
  public boolean worked(int bytes) {
    if (++events % CLOCK_EVERY != 0 && bytes < LONG_BYTES) {
      return false;
    }
    check();
    if (System.nanoTime() - begunNanos >= TURN_NANOS) {
      idle.run();
      end();
      begin();
      check();
    }
    return true;
  }

  /** Waits for the condition, whose change is followed by {@link #wake}. */
  public void await(BooleanSupplier condition) {
    check();
    if (condition.getAsBoolean()) {
      return;
    }
    end();
    while (!gone.getAsBoolean() && !condition.getAsBoolean()) {
      var unused =
          Uninterruptibles.tryAcquireUninterruptibly(wakes, LOOK_MILLIS, TimeUnit.MILLISECONDS);
      wakes.drainPermits();
    }
    check(); // a query that is gone needs no turn to give back what it holds
    begin();
    check();
  }

  /**
   * Waits for a stage.
   *
   * @throws java.util.concurrent.CompletionException if the stage fails
   */
  public <T> T await(CompletionStage<T> stage) {
    check();
    CompletableFuture<T> future = stage.toCompletableFuture();
    if (!future.isDone()) {
      idle.run();
      var unused = future.whenComplete((value, failure) -> wake());
      await(future::isDone);
    }
    return future.join();
  }

  /** Throws {@link CancellationException} once the query is gone. */
  public void check() {
    if (gone.getAsBoolean()) {
      throw new CancellationException("the client gave the query up");
    }
  }

  /** Lets {@link #await} look again. May be called from any thread. */
  public void wake() {
    wakes.release();
  }
}
