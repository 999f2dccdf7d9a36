package hourglass.store.cassandra.late;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.store.Columns;
import hourglass.store.LateArrival;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notes columns that come late. Of the settle delay, half is for those that were on their way for
 * long before they came here: what is older when a write begins is noted first, so that no reader
 * sees it without its note. A quarter is for the write: what took longer is noted, or noted again,
 * before it is acknowledged. The last quarter is for clocks that differ. Thread-safe.
 *
 * <pre>
 *   event's time        1/2          3/4          settle
 *        |--------------|------------|------------|------> the writer's clock
 *          in time        noted first  noted again  readers pass it, by their clocks
 * </pre>
 */
public final class LateArrivalWriter {
  private static final Logger log = LoggerFactory.getLogger(LateArrivalWriter.class);

  private final TimeUuidGenerator places;
  private final long earlyTicks;
  private final long lateTicks;

  public LateArrivalWriter(Clock clock, Duration settle) {
    long settleTicks = settle.toMillis() * Ticks.PER_MILLI;
    this.places = new TimeUuidGenerator(clock);
    this.earlyTicks = settleTicks / 2;
    this.lateTicks = settleTicks / 4 * 3;
  }

  /** Writes columns, noted as they must be. */
  public CompletionStage<Void> around(
      LateArrivalsTable table, RowKey row, Columns columns, Supplier<CompletionStage<Void>> write) {
    long nowTicks = places.nowTicks();
    Columns old = columns.before(nowTicks - earlyTicks);
    CompletionStage<Void> written =
        old.isEmpty() ? write.get() : put(table, row, old).thenCompose(done -> write.get());
    return written
        .thenCompose(done -> note(table, row, slow(columns, old.size(), nowTicks)))
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                perhaps(table, row, columns);
              }
            });
  }

  /** What readers may have passed before it was visible. */
  private Columns slow(Columns columns, int noted, long sinceTicks) {
    long nowTicks = places.nowTicks();
    Columns late = columns.before(nowTicks - lateTicks);
    boolean notesAreOld = nowTicks - sinceTicks > lateTicks;
    return notesAreOld || noted == 0
        ? late
        : late.subColumns(Math.min(noted, late.size()), late.size());
  }

  /** A write that failed may still become visible; nobody waits for what is said of that. */
  private void perhaps(LateArrivalsTable table, RowKey row, Columns columns) {
    put(table, row, columns)
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                log.debug("{}: a write failed, and cannot be noted: {}", row, failure.toString());
              }
            });
  }

  /** A note that took long itself may be behind what readers took for settled: then another. */
  private CompletionStage<Void> note(LateArrivalsTable table, RowKey row, Columns columns) {
    if (columns.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    long nowTicks = places.nowTicks();
    return put(table, row, columns)
        .thenCompose(
            done ->
                places.nowTicks() - nowTicks > lateTicks
                    ? note(table, row, columns)
                    : CompletableFuture.completedFuture(null));
  }

  private CompletionStage<Void> put(LateArrivalsTable table, RowKey row, Columns columns) {
    int notes = (columns.size() + LateArrival.NAMES_MAX - 1) / LateArrival.NAMES_MAX;
    CompletableFuture<?>[] puts = new CompletableFuture<?>[notes];
    for (int i = 0; i < notes; i++) {
      int from = i * LateArrival.NAMES_MAX;
      int to = Math.min(columns.size(), from + LateArrival.NAMES_MAX);
      puts[i] = table.put(places.next(), row, columns.subColumns(from, to)).toCompletableFuture();
    }
    return CompletableFuture.allOf(puts);
  }
}
