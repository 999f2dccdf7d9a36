package hourglass.store.cassandra;

import hourglass.bucketing.Hour;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Drops hours. The hour gets a new generation first, once every process asks anew which one it is;
 * when no process goes by the old one any more, what was written in it is deleted by tombstones
 * that later columns are not covered by, since their write timestamps lie behind. A drop that was
 * broken off is finished by the next one.
 */
final class Dropper {
  /** Rows whose deletion is under way at a time. */
  private static final int ROWS_AT_A_TIME = 64;

  private final HourStates hours;
  private final OwnRows ownRows;
  private final Duration trustFor;

  Dropper(HourStates hours, OwnRows ownRows, Duration trustFor) {
    this.hours = hours;
    this.ownRows = ownRows;
    this.trustFor = trustFor;
  }

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
              return state.oldest() < state.generation()
                  ? finish(tables, hour, state.oldest(), state.generation())
                  : CompletableFuture.completedFuture(null);
            });
  }

  /** The next generation begins; and nobody writes in this one any more when this is done. */
  private CompletionStage<Void> begin(Tables tables, Hour hour, int generation) {
    HoursTable table = tables.hours();
    return table
        .putDropping(hour, generation)
        .thenCompose(done -> untrusted(hour))
        .thenCompose(done -> table.putDropped(hour, generation + 1))
        .thenCompose(done -> untrusted(hour))
        .thenRun(() -> ownRows.forget(hour, generation + 1));
  }

  /** Waits until nobody goes by what he knew of an hour before. */
  private CompletionStage<Void> untrusted(Hour hour) {
    hours.forget(hour);
    return CompletableFuture.runAsync(
        () -> hours.forget(hour),
        CompletableFuture.delayedExecutor(trustFor.toNanos(), TimeUnit.NANOSECONDS));
  }

  /** Deletes the generations {@code [from, to)}, the note of them last. */
  private CompletionStage<Void> finish(Tables tables, Hour hour, int from, int to) {
    CompletionStage<Void> deleted = CompletableFuture.completedFuture(null);
    for (int generation = from; generation < to; generation++) {
      int each = generation;
      deleted = deleted.thenCompose(done -> delete(tables, hour, each));
    }
    return deleted.thenCompose(done -> tables.hours().deleteBefore(hour, to));
  }

  private CompletionStage<Void> delete(Tables tables, Hour hour, int generation) {
    return tables
        .directory()
        .rows(hour, generation)
        .thenCompose(rows -> deleteColumns(tables, generation, new ArrayList<>(rows)))
        .thenCompose(done -> tables.directory().delete(hour, generation));
  }

  private CompletionStage<Void> deleteColumns(
      Tables tables, int generation, List<DirectoryRow> rows) {
    if (rows.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    int next = Math.min(ROWS_AT_A_TIME, rows.size());
    CompletableFuture<?>[] deletes =
        rows.subList(0, next).stream()
            .flatMap(
                row ->
                    row.writers().stream()
                        .map(WriterRecord::retentionClass)
                        .distinct()
                        .map(name -> delete(tables, generation, row, name)))
            .toArray(CompletableFuture<?>[]::new);
    return CompletableFuture.allOf(deletes)
        .thenCompose(done -> deleteColumns(tables, generation, rows.subList(next, rows.size())));
  }

  private static CompletableFuture<Void> delete(
      Tables tables, int generation, DirectoryRow row, String retentionClass) {
    return tables
        .events(retentionClass)
        .thenCompose(table -> table.delete(row.row(), generation))
        .toCompletableFuture();
  }
}
