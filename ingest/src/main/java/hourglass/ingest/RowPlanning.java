package hourglass.ingest;

import hourglass.bucketing.Hour;
import hourglass.bucketing.planner.ClaimRequest;
import hourglass.bucketing.planner.PlannerOptions;
import hourglass.bucketing.planner.ShardPlanner;
import hourglass.store.UnavailableException;
import hourglass.store.WideColumnStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts columns into rows as a {@link ShardPlanner} says, and carries its claims to the store. A
 * write whose row is full waits, without a thread, for the answer to a claim; all others do not
 * wait. Thread-safe.
 */
final class RowPlanning {
  private static final Logger log = LoggerFactory.getLogger(RowPlanning.class);

  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** A claim without an answer by then has failed: who waits for it is to try again later. */
  private static final long CLAIM_SECONDS = 10;

  /** Claims that nobody waits for are made so many at a time. */
  private static final int LOOK_REQUESTS_MAX = 256;

  private static final int ANSWER_COUNTS = 1024;

  private final WideColumnStore store;
  private final LongSupplier nanoTime;
  private final Executor workers;
  private final ShardPlanner planner;
  private final PlanningMeters meters;

  /** Completed by the next answer for an hour and type. */
  private final Map<Key, CompletableFuture<Void>> nextAnswers = new ConcurrentHashMap<>();

  /** How many came, by the hashes of their hours and types. */
  private final AtomicLongArray answers = new AtomicLongArray(ANSWER_COUNTS);

  private final AtomicLong lookedNanos;

  // Comparable, so that types chosen for their equal hashes do not make the map slow.
  private record Key(Hour hour, String type) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int byType = type.compareTo(other.type);
      return byType != 0 ? byType : hour.compareTo(other.hour);
    }

    int count() {
      return Math.floorMod(hashCode(), ANSWER_COUNTS);
    }
  }

  /**
   * @param clock for what hour it is
   * @param nanoTime for how long things take, as {@link System#nanoTime}
   * @param workers does what can wait
   */
  RowPlanning(
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
    // Different in every start of every process.
    String writer = Long.toUnsignedString(random.nextLong(), 36);
    log.info("rows are claimed as writer {}", writer);
    this.planner =
        new ShardPlanner(
            options,
            writer,
            store::placement,
            clock::millis,
            nanoTime,
            new LockedRandom(random.nextLong()));
    this.meters = new PlanningMeters(registry, planner);
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
  CompletionStage<Void> place(List<Unplaced> all) {
    lookNowAndThen();
    all.forEach(
        columns -> columns.came(planner.came(columns.hour(), columns.type(), columns)));
    CompletableFuture<?>[] waiting =
        all.stream()
            .map(this::place)
            .filter(placed -> !placed.isDone() || placed.isCompletedExceptionally())
            .toArray(CompletableFuture<?>[]::new);
    if (waiting.length == 0) {
      return CompletableFuture.completedFuture(null);
    }
    long sinceNanos = nanoTime.getAsLong();
    meters.waitsForClaim();
    return CompletableFuture.allOf(waiting)
        .whenComplete(
            (done, failure) -> {
              meters.waited(nanoTime.getAsLong() - sinceNanos);
              if (failure != null) {
                failed(all, true);
              }
            });
  }

  private CompletableFuture<Void> place(Unplaced columns) {
    Key key = new Key(columns.hour(), columns.type());
    long answersBefore = answers.get(key.count());
    assign(columns);
    if (columns.isPlaced()) {
      claim(columns.hour(), columns.type());
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> answered =
        nextAnswers.computeIfAbsent(key, any -> new CompletableFuture<>());
    if (answers.get(key.count()) != answersBefore) {
      // One may just have come, and gave room that nobody would wake this one for.
      assign(columns);
    }
    claim(columns.hour(), columns.type());
    return columns.isPlaced()
        ? CompletableFuture.completedFuture(null)
        : answered.thenCompose(done -> place(columns));
  }

  private void assign(Unplaced columns) {
    columns.placedTo(
        planner.assign(
            columns.hour(), columns.type(), columns, columns.next(), columns.stretches()));
  }

  private void claim(Hour hour, String type) {
    carry(planner.wanted(hour, type));
  }

  private void carry(@Nullable ClaimRequest request) {
    if (request == null) {
      return;
    }
    meters.claiming();
    CompletionStage<?> carried;
    try {
      carried =
          store
              .claim(request.hour(), request.type(), request.claims())
              .toCompletableFuture()
              .copy() // an answer that comes later finds nobody
              .orTimeout(CLAIM_SECONDS, TimeUnit.SECONDS)
              .thenAccept(all -> planner.answered(request, all));
    } catch (RuntimeException e) {
      carried = CompletableFuture.failedFuture(e);
    }
    carried.whenComplete(
        (done, failure) -> {
          meters.claimed(failure == null);
          if (failure != null) {
            planner.failed(request);
            log.debug("{} of {}: not claimed: {}", request.type(), request.hour(), failure);
          }
          wake(new Key(request.hour(), request.type()), explained(request, failure));
        });
  }

  private static @Nullable Throwable explained(ClaimRequest of, @Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof TimeoutException
        ? new UnavailableException(
            "the store has not answered a claim of rows for %s within %d s"
                .formatted(of.type(), CLAIM_SECONDS))
        : failure;
  }

  private void wake(Key key, @Nullable Throwable failure) {
    answers.incrementAndGet(key.count());
    CompletableFuture<Void> waiting = nextAnswers.remove(key);
    if (waiting != null && failure == null) {
      waiting.complete(null);
    } else if (waiting != null) {
      waiting.completeExceptionally(failure);
    }
  }

  /**
   * Takes that a write failed: its columns may come again, and are then counted again.
   *
   * @param unwritten whether certainly none of them were written
   */
  void failed(List<Unplaced> all, boolean unwritten) {
    for (Unplaced columns : all) {
      planner.cameToNothing(columns.hour(), columns.type(), columns, columns.cameMillis());
      if (unwritten) {
        planner.giveBack(columns.hour(), columns.type(), columns, columns.stretches());
      }
    }
  }

  private void lookNowAndThen() {
    long now = nanoTime.getAsLong();
    long before = lookedNanos.get();
    if (now - before >= LOOK_NANOS && lookedNanos.compareAndSet(before, now)) {
      try {
        workers.execute(() -> planner.look(LOOK_REQUESTS_MAX).forEach(this::carry));
      } catch (RejectedExecutionException e) {
        log.debug("nothing is looked after any more: the process ends");
      }
    }
  }
}
