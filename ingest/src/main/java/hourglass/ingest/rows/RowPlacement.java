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
 * Puts columns into rows as a {@link ShardPlanner} says, and carries its claims to the store. A
 * write whose row is full waits, without a thread, for the answer to a claim; all others do not
 * wait. Thread-safe.
 */
public final class RowPlacement {
  private static final Logger log = LoggerFactory.getLogger(RowPlacement.class);

  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** A claim without an answer by then has failed: who waits for it is to try again later. */
  private static final long CLAIM_SECONDS = 10;

  /** Claims that nobody waits for are made so many at a time. */
  private static final int LOOK_REQUESTS_MAX = 256;

  private final WideColumnStore store;
  private final LongSupplier nanoTime;
  private final Executor workers;

  /** A name that is different in every start of every process. */
  private final String writer;

  private final AtomicBoolean introduced = new AtomicBoolean();
  private final ShardPlanner planner;
  private final PlacementMeters meters;
  private final ClaimWaiters waiting = new ClaimWaiters();
  private final AtomicLong lookedNanos;

  /**
   * @param clock for what hour it is
   * @param nanoTime for how long things take, as {@link System#nanoTime}
   * @param workers does what can wait, and what follows an answer
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
    this.lookedNanos = new AtomicLong(nanoTime.getAsLong());
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

  /** A claim is made by whatever thread comes along. */
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
   * Puts all columns into rows.
   *
   * @return completes once all have one, at once if rows have room; exceptionally, with nothing
   *     placed, if the store refuses a claim that they need
   */
  public CompletionStage<Void> place(List<PendingBatch> all) {
    lookNowAndThen();
    all.forEach(columns -> columns.came(planner.record(columns.typeHour(), columns)));
    CompletableFuture<?>[] unplaced =
        all.stream()
            .map(this::place)
            .filter(placed -> !placed.isDone() || placed.isCompletedExceptionally())
            .toArray(CompletableFuture<?>[]::new);
    if (unplaced.length == 0) {
      return CompletableFuture.completedFuture(null);
    }
    long sinceNanos = nanoTime.getAsLong();
    meters.waitsForClaim();
    return CompletableFuture.allOf(unplaced)
        .whenComplete(
            (done, failure) -> {
              meters.waited(nanoTime.getAsLong() - sinceNanos);
              if (failure != null) {
                failed(all, true);
              }
            });
  }

  private CompletableFuture<Void> place(PendingBatch columns) {
    TypeHour of = columns.typeHour();
    long answers = waiting.answers(of);
    assign(columns);
    if (columns.isPlaced()) {
      claim(of);
      return CompletableFuture.completedFuture(null);
    }
    ClaimWaiters.Waiter waiter = new ClaimWaiters.Waiter(columns);
    waiting.add(waiter);
    if (waiting.answers(of) == answers) {
      claim(of);
    } else {
      placeAgain(of); // the answer may have made room that nobody would wake this one for
    }
    return waiter.placed();
  }

  private void assign(PendingBatch columns) {
    columns.placedTo(
        planner.assign(columns.typeHour(), columns, columns.next(), columns.assignments()));
  }

  /** Places all that wait before it claims, so that one claim is for all that still wait then. */
  private void placeAgain(TypeHour of) {
    List<ClaimWaiters.Waiter> placed = new ArrayList<>();
    long answers;
    do {
      answers = waiting.answers(of);
      for (ClaimWaiters.Waiter waiter : waiting.take(of)) {
        assign(waiter.columns());
        if (waiter.columns().isPlaced()) {
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
      carry(request);
    }
  }

  private void carry(ClaimRequest request) {
    if (!introduced.getAndSet(true)) {
      log.info("rows are claimed as writer {}", writer);
    }
    meters.claiming();
    CompletableFuture<List<ShardClaim>> answer = ask(request);
    if (answer.isDone()) {
      take(request, answer);
    } else {
      // What follows may take a while, and is not for threads that serve connections or time-outs.
      var unused = answer.whenComplete((all, failure) -> work(() -> take(request, answer)));
    }
  }

  private CompletableFuture<List<ShardClaim>> ask(ClaimRequest request) {
    try {
      return store
          .claim(request.typeHour(), request.claims())
          .toCompletableFuture()
          .copy() // an answer that comes later finds nobody
          .orTimeout(CLAIM_SECONDS, TimeUnit.SECONDS);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void take(ClaimRequest request, CompletableFuture<List<ShardClaim>> answer) {
    TypeHour of = request.typeHour();
    Throwable failure = taken(request, answer);
    meters.claimed(failure == null);
    waiting.answered(of);
    if (failure != null) {
      log.debug("{} of {}: not claimed: {}", of.type(), of.hour(), failure);
      fail(waiting.take(of), explained(request, failure));
    } else if (waiting.has(of)) {
      work(() -> placeAgain(of)); // not here: it may claim again, and so on
    }
  }

  /** Gives the planner an answer; returns why it is none, or null. */
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

  private void work(Runnable what) {
    try {
      workers.execute(what);
    } catch (RejectedExecutionException e) {
      what.run(); // the process ends, and finishes what was taken
    }
  }

  /**
   * Takes that a write failed: its columns may come again, and are then counted again.
   *
   * @param unwritten whether certainly none of them were written
   */
  public void failed(List<PendingBatch> all, boolean unwritten) {
    for (PendingBatch columns : all) {
      planner.recordFailure(columns.typeHour(), columns, columns.cameMillis());
      if (unwritten) {
        planner.release(columns.typeHour(), columns, columns.assignments());
      }
    }
  }

  private void lookNowAndThen() {
    long now = nanoTime.getAsLong();
    long before = lookedNanos.get();
    if (now - before >= LOOK_NANOS && lookedNanos.compareAndSet(before, now)) {
      try {
        workers.execute(() -> planner.tick(LOOK_REQUESTS_MAX).forEach(this::carry));
      } catch (RejectedExecutionException e) {
        log.debug("nothing is looked after any more: the process ends");
      }
    }
  }
}
