package hourglass.ingest.rows;

import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ClaimRequest;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.bucketing.shards.ShardPlanner;
import hourglass.store.UnavailableException;
import hourglass.store.WideColumnStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Assigns columns to rows with a {@link ShardPlanner}, and sends its claims to the store. A write
 * whose row is full waits for the answer to a claim, without a thread. Thread-safe.
 */
public final class RowPlacement {
  private static final Logger log = LoggerFactory.getLogger(RowPlacement.class);

  private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** A claim without an answer by then has failed. */
  private static final long CLAIM_SECONDS = 10;

  /** Claims ahead of need that one tick may make. */
  private static final int TICK_REQUESTS_MAX = 256;

  private final WideColumnStore store;
  private final LongSupplier nanoTime;
  private final Executor workers;

  /** A random name, new at each start. */
  private final String writer;

  private final AtomicBoolean introduced = new AtomicBoolean();
  private final ShardPlanner planner;
  private final PlacementMeters meters;
  private final ClaimWaiters waiting = new ClaimWaiters();
  private final AtomicLong tickedNanos;

  /**
   * @param clock for the current hour
   * @param nanoTime a monotonic clock, such as {@link System#nanoTime}
   * @param workers run ticks, and the work that follows an answer
   */
  public RowPlacement(
      WideColumnStore store,
      PlannerOptions options,
      Clock clock,
      LongSupplier nanoTime,
      Executor workers,
      MeterRegistry registry) {
    this.store = store;
    this.nanoTime = nanoTime;
    this.tickedNanos = new AtomicLong(nanoTime.getAsLong());
    this.workers = workers;
    SecureRandom random = new SecureRandom();
    this.writer = Long.toUnsignedString(random.nextLong(), 36);
    this.planner =
        new ShardPlanner(
            options,
            writer,
            store::placement,
            clock::millis,
            nanoTime,
            new LockedRandom(random.nextLong()));
    this.meters = new PlacementMeters(registry, planner);
  }

  /** Any thread may make a claim. */
  private static final class LockedRandom implements java.util.random.RandomGenerator {
    private final SplittableRandom random;

    private LockedRandom(long seed) {
      random = new SplittableRandom(seed);
    }

    @Override
    public synchronized long nextLong() {
      return random.nextLong();
    }
  }

  /**
   * Assigns all columns to rows.
   *
   * @return completes when all have rows, at once if rows have capacity; fails, with nothing
   *     placed, if the store refuses a claim that they need
   */
  public CompletionStage<Void> place(List<PendingBatch> all) {
    tickIfDue();
    all.forEach(batch -> batch.recorded(planner.record(batch.typeHour(), batch)));
    CompletableFuture<?>[] pending =
        all.stream()
            .map(this::place)
            .filter(placed -> !placed.isDone() || placed.isCompletedExceptionally())
            .toArray(CompletableFuture<?>[]::new);
    if (pending.length == 0) {
      return CompletableFuture.completedFuture(null);
    }
    long sinceNanos = nanoTime.getAsLong();
    meters.waitsForClaim();
    return CompletableFuture.allOf(pending)
        .whenComplete(
            (done, failure) -> {
              meters.waited(nanoTime.getAsLong() - sinceNanos);
              if (failure != null) {
                failed(all, true);
              }
            });
  }

  private CompletableFuture<Void> place(PendingBatch batch) {
    TypeHour of = batch.typeHour();
    long answers = waiting.answers(of);
    assign(batch);
    if (batch.isPlaced()) {
      claim(of);
      return CompletableFuture.completedFuture(null);
    }
    ClaimWaiters.Waiter waiter = new ClaimWaiters.Waiter(batch);
    waiting.add(waiter);
    if (waiting.answers(of) == answers) {
      claim(of);
    } else {
      placeAgain(of); // the answer may have made room, and nothing else would wake this waiter
    }
    return waiter.placed();
  }

  private void assign(PendingBatch batch) {
    batch.placedTo(planner.assign(batch.typeHour(), batch, batch.next(), batch.assignments()));
  }

  /** Places all waiters before it claims, so that one claim serves all that still wait. */
  private void placeAgain(TypeHour of) {
    List<ClaimWaiters.Waiter> placed = new ArrayList<>();
    long answers;
    do {
      answers = waiting.answers(of);
      for (ClaimWaiters.Waiter waiter : waiting.take(of)) {
        assign(waiter.batch());
        if (waiter.batch().isPlaced()) {
          placed.add(waiter);
        } else {
          waiting.add(waiter);
        }
      }
    } while (waiting.answers(of) != answers);
    claim(of);
    placed.forEach(waiter -> waiter.placed().complete(null));
  }

  private void claim(TypeHour of) {
    ClaimRequest request = planner.nextClaim(of);
    if (request != null) {
      send(request);
    }
  }

  private void send(ClaimRequest request) {
    if (!introduced.getAndSet(true)) {
      log.info("rows are claimed as writer {}", writer);
    }
    meters.claiming();
    CompletableFuture<List<ShardClaim>> answer = ask(request);
    if (answer.isDone()) {
      take(request, answer);
    } else {
      // The work that follows is not for event loops and timers.
      var unused = answer.whenComplete((all, failure) -> work(() -> take(request, answer)));
    }
  }

  private CompletableFuture<List<ShardClaim>> ask(ClaimRequest request) {
    try {
      return store
          .claim(request.typeHour(), request.claims())
          .toCompletableFuture()
          .copy() // a late answer changes nothing
          .orTimeout(CLAIM_SECONDS, TimeUnit.SECONDS);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void take(ClaimRequest request, CompletableFuture<List<ShardClaim>> answer) {
    TypeHour of = request.typeHour();
    Throwable failure = taken(request, answer);
    meters.claimed(failure == null);
    waiting.countAnswer(of);
    if (failure != null) {
      log.debug("{} of {}: not claimed: {}", of.type(), of.hour(), failure);
      fail(waiting.take(of), explained(request, failure));
    } else if (waiting.has(of)) {
      work(() -> placeAgain(of)); // not here: it may claim again, and recurse
    }
  }

  /** Gives the planner an answer; returns the failure instead, if there is one. */
  private @Nullable Throwable taken(
      ClaimRequest request, CompletableFuture<List<ShardClaim>> answer) {
    try {
      planner.onAnswer(request, answer.join());
      return null;
    } catch (RuntimeException e) {
      planner.onFailure(request);
      return e instanceof CompletionException && e.getCause() != null ? e.getCause() : e;
    }
  }

  private void fail(List<ClaimWaiters.Waiter> waiters, Throwable failure) {
    if (!waiters.isEmpty()) {
      work(() -> waiters.forEach(waiter -> waiter.placed().completeExceptionally(failure)));
    }
  }

  private static Throwable explained(ClaimRequest of, Throwable failure) {
    return failure instanceof TimeoutException
        ? new UnavailableException(
            "the store has not answered a claim of rows for %s within %d s"
                .formatted(of.typeHour().type(), CLAIM_SECONDS))
        : failure;
  }

  private void work(Runnable task) {
    try {
      workers.execute(task);
    } catch (RejectedExecutionException e) {
      task.run(); // the process is shutting down, and finishes accepted work
    }
  }

  /**
   * Records a failed write: a repeat of its columns counts again.
   *
   * @param unwritten whether none of them were written for certain
   */
  public void failed(List<PendingBatch> all, boolean unwritten) {
    for (PendingBatch batch : all) {
      planner.recordFailure(batch.typeHour(), batch, batch.recordedMillis());
      if (unwritten) {
        planner.release(batch.typeHour(), batch, batch.assignments());
      }
    }
  }

  private void tickIfDue() {
    long now = nanoTime.getAsLong();
    long before = tickedNanos.get();
    if (now - before >= TICK_NANOS && tickedNanos.compareAndSet(before, now)) {
      try {
        workers.execute(() -> planner.tick(TICK_REQUESTS_MAX).forEach(this::send));
      } catch (RejectedExecutionException e) {
        log.debug("no tick: the process is shutting down");
      }
    }
  }
}
