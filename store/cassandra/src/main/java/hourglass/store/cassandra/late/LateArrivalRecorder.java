package hourglass.store.cassandra.late;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.store.Columns;
import hourglass.store.LateArrival;
import hourglass.store.cassandra.driver.Futures;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records late columns, in three parts of the settle delay. Columns older than half of it when a
 * write begins are recorded first, so that no reader sees them unrecorded. The next quarter is for
 * the write: columns that are older at its end are recorded before the acknowledgement, perhaps
 * again. The last quarter is for clock differences. Thread-safe.
 *
 * <pre>
 * event's time        1/2               3/4               settle
 *      |---------------|-----------------|-----------------|------> the writer's clock
 *          in time       recorded first    recorded again    readers pass it, by their clocks
 * </pre>
 */
public final class LateArrivalRecorder {
  private static final Logger logger = LoggerFactory.getLogger(LateArrivalRecorder.class);

  /** The most names of failed writes whose records are under way; they take some ten MB. */
  private static final int BACKGROUND_MAX = 1 << 19;

  private final TimeUuidGenerator places;
  private final BiFunction<RowKey, Columns, CompletionStage<Columns>> unerased;
  private final AtomicInteger background = new AtomicInteger();
  private final long earlyTicks;
  private final long lateTicks;

  /**
   * Creates a recorder.
   *
   * @param unerased returns the names that are not erased; asked when a record is about to be sent,
   *     since the eraser may have searched the records of its time before
   */
  public LateArrivalRecorder(
      Clock clock,
      Duration settle,
      BiFunction<RowKey, Columns, CompletionStage<Columns>> unerased) {
    this.unerased = unerased;
    long settleTicks = settle.toMillis() * Ticks.PER_MILLI;
    this.places = new TimeUuidGenerator(clock);
    this.earlyTicks = settleTicks / 2;
    this.lateTicks = settleTicks / 4 * 3;
  }

  /**
   * Records the late columns of a write before the returned stage completes.
   *
   * @param check fails if the columns must not be written any more, since they were erased; then
   *     their names are not recorded either
   */
  public CompletionStage<Void> around(
      LateArrivalsTable table,
      RowKey row,
      Columns columns,
      Supplier<CompletionStage<Void>> check,
      Supplier<CompletionStage<Void>> write) {
    long nowTicks = places.nowTicks();
    Columns old = columns.before(nowTicks - earlyTicks);
    CompletionStage<Long> recorded =
        old.isEmpty()
            ? CompletableFuture.completedFuture(nowTicks)
            : Futures.call(check).thenCompose(passed -> put(table, row, old));
    return recorded
        .thenCompose(
            sinceTicks ->
                write
                    .get()
                    .thenCompose(done -> record(table, row, slow(columns, old.size(), sinceTicks))))
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                recordInBackground(table, row, columns, check);
              }
            });
  }

  /** Columns that readers may have passed before they became visible. */
  private Columns slow(Columns columns, int recorded, long sinceTicks) {
    long nowTicks = places.nowTicks();
    Columns late = columns.before(nowTicks - lateTicks);
    boolean recordsAreOld = nowTicks - sinceTicks > lateTicks;
    return recordsAreOld || recorded == 0
        ? late
        : late.subColumns(Math.min(recorded, late.size()), late.size());
  }

  /**
   * A failed write may still become visible. Beyond a bound nothing is recorded: such a write was
   * not acknowledged, and its repeat is recorded again.
   */
  private void recordInBackground(
      LateArrivalsTable table, RowKey row, Columns columns, Supplier<CompletionStage<Void>> check) {
    int size = columns.size();
    if (background.addAndGet(size) > BACKGROUND_MAX) {
      background.addAndGet(-size);
      return;
    }
    var unused =
        Futures.call(check)
            .thenCompose(passed -> put(table, row, columns))
            .whenComplete(
                (done, failure) -> {
                  background.addAndGet(-size);
                  if (failure != null) {
                    logger.debug(
                        "{}: a write failed, and cannot be recorded: {}", row, failure.toString());
                  }
                });
  }

  /** Repeats a record that took long itself, since readers may have settled its place. */
  private CompletionStage<Void> record(LateArrivalsTable table, RowKey row, Columns columns) {
    if (columns.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    return put(table, row, columns)
        .thenCompose(
            placeTicks ->
                places.nowTicks() - placeTicks > lateTicks
                    ? record(table, row, columns)
                    : CompletableFuture.completedFuture(null));
  }

  /** Completes with the ticks of the earliest place. */
  private CompletionStage<Long> put(LateArrivalsTable table, RowKey row, Columns columns) {
    int max = LateArrival.NAMES_MAX;
    return Futures.all(
            IntStream.range(0, (columns.size() + max - 1) / max)
                .mapToObj(i -> columns.subColumns(i * max, Math.min(columns.size(), (i + 1) * max)))
                .map(part -> table.put(places::next, row, part, unerased)))
        .thenApply(ticks -> ticks.stream().mapToLong(Long::longValue).min().orElseThrow());
  }
}
