package hourglass.store.cassandra;

import hourglass.bucketing.Hour;
import hourglass.store.cassandra.DirectoryTable.StoredRow;
import hourglass.store.cassandra.driver.Futures;
import hourglass.store.cassandra.rows.RetentionClass;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Drops hours. First, the hour gets a new generation. Once no process uses the old generation,
 * tombstones delete its columns. Columns of the new generation have later write timestamps. If a
 * drop is interrupted, the next drop of the hour finishes it.
 */
record Dropper(HourStates hours, OwnRows ownRows, Duration trustFor) {
  private static final int ROWS_AT_A_TIME = 64;

  CompletionStage<Void> drop(Tables tables, Hour hour) {
    return hours
        .refresh(hour)
        .thenCompose(
            state -> {
              if (!state.classes().isEmpty()) {
                return begin(tables, hour, state.generation())
                    .thenCompose(
                        done -> finish(tables, hour, state.oldest(), state.generation() + 1));
              }
              return finish(tables, hour, state.oldest(), state.generation());
            });
  }

  /** Begins the next generation; completes when no process writes to the old one. */
  private CompletionStage<Void> begin(Tables tables, Hour hour, int generation) {
    HoursTable table = tables.hours();
    return table
        .putDropping(hour, generation)
        .thenCompose(done -> awaitExpiry(hour))
        .thenCompose(done -> table.putDropped(hour, generation + 1))
        .thenCompose(done -> awaitExpiry(hour))
        .thenRun(() -> ownRows.forget(hour, generation + 1));
  }

  private CompletionStage<Void> awaitExpiry(Hour hour) {
    hours.forget(hour);
    return CompletableFuture.runAsync(
        () -> hours.forget(hour),
        CompletableFuture.delayedExecutor(trustFor.toNanos(), TimeUnit.NANOSECONDS));
  }

  /**
   * Deletes the generations {@code [from, to)}, and finally their records in the table of hours.
   */
  private CompletionStage<Void> finish(Tables tables, Hour hour, int from, int to) {
    if (from >= to) {
      return CompletableFuture.completedFuture(null);
    }
    CompletionStage<Void> deleted = CompletableFuture.completedFuture(null);
    for (int generation = from; generation < to; generation++) {
      int each = generation;
      deleted =
          deleted
              .thenCompose(done -> tables.directory().rows(hour, each))
              .thenCompose(rows -> deleteColumns(tables, each, rows))
              .thenCompose(done -> tables.directory().delete(hour, each));
    }
    return deleted.thenCompose(done -> tables.hours().deleteBefore(hour, to));
  }

  private CompletionStage<Void> deleteColumns(Tables tables, int generation, List<StoredRow> rows) {
    if (rows.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    int next = Math.min(ROWS_AT_A_TIME, rows.size());
    return Futures.allOf(
            rows.subList(0, next).stream()
                .flatMap(
                    row ->
                        classes(row)
                            .map(tables::packs)
                            .map(
                                found ->
                                    found.thenCompose(table -> table.delete(row.row, generation)))))
        .thenCompose(done -> deleteColumns(tables, generation, rows.subList(next, rows.size())));
  }

  /** Returns the classes whose tables contain columns of a row. */
  private static Stream<String> classes(StoredRow row) {
    RetentionClass pages = row.pages;
    return Stream.concat(
            row.writers.stream().map(WriterRecord::retentionClass),
            Stream.ofNullable(pages).map(RetentionClass::name))
        .distinct();
  }
}
