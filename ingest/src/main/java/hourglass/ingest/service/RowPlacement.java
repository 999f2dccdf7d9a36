package hourglass.ingest.service;

import hourglass.access.Failures;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ClaimRequest;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.bucketing.shards.ShardPlanner;
import hourglass.ingest.service.PendingWrite.Batch;
import hourglass.store.FirstTimes;
import hourglass.store.OverloadedException;
import hourglass.store.UnavailableException;
import hourglass.store.WideColumnStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Assigns columns to rows with a {@link ShardPlanner}, and sends its claims to the store. A write
 * whose row is full waits for a claim, without a thread. Thread-safe.
 */
public final class RowPlacement {
  private static final Logger logger = LoggerFactory.getLogger(RowPlacement.class);

  private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** The time after which a claim without an answer has failed. */
  private static final long CLAIM_SECONDS = 10;

  private static final int ANSWER_COUNTS = 1024;

  /** The most claims ahead of need that one tick may make. */
  private static final int TICK_REQUESTS_MAX = 256;

  private final WideColumnStore store;
  private final LongSupplier nanoTime;
  private final Executor workers;

  /** The name of this writer, random and new at each start. */
  private final String writer;

  private final AtomicBoolean introduced = new AtomicBoolean();
  private final ShardPlanner planner;
  private final PlacementMeters meters;

  private final Map<TypeHour, List<Batch>> waiting = new ConcurrentHashMap<>();

  /**
   * The numbers of answers to claims, by the hash of the type hour; type hours that share a number
   * cost a needless try. A batch that starts to wait tries again if an answer arrived since its
   * last try, because nothing else would wake it.
   */
  private final AtomicLongArray answers = new AtomicLongArray(ANSWER_COUNTS);

  private final AtomicLong tickedNanos;

  /**
   * Creates a placement. It runs ticks, and the work that follows an answer, on {@code workers}.
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
    SecureRandom random = new SecureRandom(); // any thread may make a claim
    this.writer = Long.toUnsignedString(random.nextLong(), 36);
    this.planner =
        new ShardPlanner(options, writer, store::placement, clock::millis, nanoTime, random);
    this.meters = new PlacementMeters(registry, planner);
  }

  /**
   * Writes events once all have times and rows. Fails, with nothing written, if the store can keep
   * no more first times or rows for this client, or if a claim is refused.
   *
   * @param client as for {@link WideColumnStore#write(List, FirstTimes, Object)}
   */
  public CompletionStage<Void> write(PendingWrite write, Object client) {
    UntimedEvents untimed = write.untimedEvents();
    if (untimed == null) {
      return write(write, FirstTimes.NONE, client);
    }
    CompletionStage<FirstTimes> kept = store.firstTimes(untimed.found(), client);
    Function<FirstTimes, CompletionStage<Void>> writing =
        times -> write(untimed.addTo(write, times), times, client);
    return kept.toCompletableFuture().isDone()
        ? kept.thenCompose(writing)
        : kept.thenComposeAsync(writing, workers);
  }

  private CompletionStage<Void> write(PendingWrite write, FirstTimes times, Object client) {
    List<Batch> pending = write.pending();
    if (pending.isEmpty()) {
      return store.write(write.mutations(), times, client);
    }
    return place(pending)
        .thenCompose(
            placed ->
                store
                    .write(write.placed(), times, client)
                    .whenComplete(
                        (written, failure) -> {
                          if (failure != null) {
                            // An overloaded store has certainly written nothing.
                            failed(pending, Failures.cause(failure) instanceof OverloadedException);
                          }
                        }));
  }

  /**
   * Completes when all batches have rows. Fails, with nothing placed, if a needed claim is refused.
   */
  CompletionStage<Void> place(List<Batch> all) {
    tickIfDue();
    all.forEach(batch -> batch.recordedMillis = planner.record(batch.typeHour, batch));
    all.forEach(this::place);
    CompletableFuture<?>[] pending =
        all.stream()
            .map(batch -> batch.placed)
            .filter(placed -> !placed.isDone() || placed.isCompletedExceptionally())
            .toArray(CompletableFuture<?>[]::new);
    if (pending.length == 0) {
      return CompletableFuture.completedFuture(null);
    }
    long sinceNanos = nanoTime.getAsLong();
    meters.waiting.incrementAndGet();
    return CompletableFuture.allOf(pending)
        .whenComplete(
            (done, failure) -> {
              meters.waiting.decrementAndGet();
              meters.waits.record(nanoTime.getAsLong() - sinceNanos, TimeUnit.NANOSECONDS);
              if (failure != null) {
                failed(all, true);
              }
            });
  }

  private void place(Batch batch) {
    TypeHour of = batch.typeHour;
    long before = answers.get(answerIndex(of));
    assign(batch);
    if (batch.isPlaced()) {
      claim(of);
      batch.placed.complete(null);
      return;
    }
    await(batch);
    if (answers.get(answerIndex(of)) == before) {
      claim(of);
    } else {
      placeAgain(of); // the answer may have made room, and nothing else would wake this batch
    }
  }

  private void assign(Batch batch) {
    batch.next = planner.assign(batch.typeHour, batch, batch.next, batch.assignments);
  }

  private void await(Batch batch) {
    waiting.compute(
        batch.typeHour,
        (of, before) -> {
          List<Batch> all = before == null ? new ArrayList<>() : before;
          all.add(batch);
          return all;
        });
  }

  /** Removes and returns the batches that wait for a type hour, the oldest first. */
  private List<Batch> takeWaiting(TypeHour of) {
    List<Batch> taken = waiting.remove(of);
    return taken == null ? List.of() : taken;
  }

  private static int answerIndex(TypeHour of) {
    return Math.floorMod(of.hashCode(), ANSWER_COUNTS);
  }

  /** Places all waiting batches before it claims, so that one claim serves all that still wait. */
  private void placeAgain(TypeHour of) {
    List<Batch> placed = new ArrayList<>();
    long before;
    do {
      before = answers.get(answerIndex(of));
      for (Batch batch : takeWaiting(of)) {
        assign(batch);
        if (batch.isPlaced()) {
          placed.add(batch);
        } else {
          await(batch);
        }
      }
    } while (answers.get(answerIndex(of)) != before);
    claim(of);
    placed.forEach(batch -> batch.placed.complete(null));
  }

  private void claim(TypeHour of) {
    ClaimRequest request = planner.nextClaim(of);
    if (request != null) {
      send(request);
    }
  }

  private void send(ClaimRequest request) {
    if (!introduced.getAndSet(true)) {
      logger.info("rows are claimed as writer {}", writer);
    }
    meters.underWay.incrementAndGet();
    CompletableFuture<List<ShardClaim>> answer = ask(request);
    if (answer.isDone()) {
      take(request, answer);
    } else {
      // Event loops and timers must not run the work that follows.
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
    meters.underWay.decrementAndGet();
    (failure == null ? meters.made : meters.failed).increment();
    // The count rises after the planner has the answer, and before waiting batches are removed.
    answers.incrementAndGet(answerIndex(of));
    if (failure != null) {
      logger.debug("{} of {}: not claimed: {}", of.type(), of.hour(), failure);
      List<Batch> refused = takeWaiting(of);
      if (!refused.isEmpty()) {
        Throwable explained = explained(of, failure);
        work(() -> refused.forEach(batch -> batch.placed.completeExceptionally(explained)));
      }
    } else if (waiting.containsKey(of)) {
      work(() -> placeAgain(of)); // not here: it may claim again, and recurse
    }
  }

  private @Nullable Throwable taken(
      ClaimRequest request, CompletableFuture<List<ShardClaim>> answer) {
    try {
      planner.onAnswer(request, answer.join());
      return null;
    } catch (RuntimeException e) {
      planner.onFailure(request);
      return Failures.cause(e);
    }
  }

  private static Throwable explained(TypeHour of, Throwable failure) {
    return failure instanceof TimeoutException
        ? new UnavailableException(
            "the store has not answered a claim of rows for %s within %d s"
                .formatted(of.type(), CLAIM_SECONDS))
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
   * Removes the batches of a failed write from the pace, so that repeats do not count twice. If
   * {@code unwritten}, their columns were certainly not written, and leave their rows.
   */
  void failed(List<Batch> all, boolean unwritten) {
    for (Batch batch : all) {
      planner.recordFailure(batch.typeHour, batch, batch.recordedMillis);
      if (unwritten) {
        planner.release(batch.typeHour, batch, batch.assignments);
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
        logger.debug("no tick: the process is shutting down");
      }
    }
  }
}
