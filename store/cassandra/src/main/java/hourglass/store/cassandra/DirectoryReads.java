package hourglass.store.cassandra;

import hourglass.access.Failures;
import hourglass.bucketing.RowKey;
import hourglass.store.ColumnCounter;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.Manifest;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.UnavailableException;
import hourglass.store.cassandra.driver.Futures;
import hourglass.store.cassandra.rows.SealReplacedException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Reads rows as the directory describes them, and repeats the read if their pages were replaced
 * meanwhile. Thread-safe.
 */
final class DirectoryReads {
  /** The number of times that a row may be sealed again during one read. */
  private static final int REPLACED_MAX = 3;

  private final Supplier<Tables> tables;
  private final Directory directory;
  private final LongSupplier nanoTime;
  private final long readMaxNanos;
  private final Supplier<CompletionStage<Long>> deletions;

  /**
   * Reads rows.
   *
   * @param nanoTime must be monotonic
   * @param readMaxNanos the time within which nobody deletes data that a look-up names, but for
   *     erasures
   * @param deletions a number that changes before an erasure deletes such data
   */
  DirectoryReads(
      Supplier<Tables> tables,
      Directory directory,
      LongSupplier nanoTime,
      long readMaxNanos,
      Supplier<CompletionStage<Long>> deletions) {
    this.tables = tables;
    this.directory = directory;
    this.nanoTime = nanoTime;
    this.readMaxNanos = readMaxNanos;
    this.deletions = deletions;
  }

  CompletionStage<Slice> slice(SliceQuery query) {
    return ofRow(
        query.row(), new Slice(Columns.EMPTY, false), (reader, fact) -> reader.slice(query, fact));
  }

  CompletionStage<FieldValues> values(FieldQuery query) {
    return ofRow(
        query.part().row(),
        new FieldValues(query.fields().size()),
        (reader, fact) -> reader.values(query, fact));
  }

  private <T> CompletionStage<T> ofRow(
      RowKey row,
      T absent,
      BiFunction<RetentionClassReader, Directory.Fact, CompletionStage<T>> reading) {
    return repeated(
        row,
        REPLACED_MAX,
        now ->
            directory
                .fact(now, row)
                .thenCompose(
                    fact ->
                        fact == null
                            ? CompletableFuture.completedFuture(absent)
                            : reading.apply(new RetentionClassReader(now), fact)));
  }

  private <T> CompletionStage<T> repeated(
      RowKey row, int times, Function<Tables, CompletionStage<T>> reading) {
    long sinceNanos = nanoTime.getAsLong();
    return Futures.call(deletions)
        .thenCompose(
            before ->
                reading
                    .apply(tables.get())
                    .thenCompose(answer -> checked(answer, row, sinceNanos, before)))
        .exceptionallyCompose(
            failure -> {
              Throwable cause = Failures.cause(failure);
              if (!(cause instanceof SealReplacedException)) {
                return CompletableFuture.failedFuture(failure);
              }
              return times > 0
                  ? repeated(row, times - 1, reading)
                  : CompletableFuture.failedFuture(
                      new UnavailableException(String.valueOf(cause.getMessage()), cause));
            });
  }

  /**
   * Passes an answer on unless the data that its look-up named may have been deleted, by an erasure
   * or after a sleep of this process.
   */
  private <T> CompletionStage<T> checked(T answer, RowKey row, long sinceNanos, long before) {
    return deletions
        .get()
        .thenApply(
            now -> {
              if (now != before || nanoTime.getAsLong() - sinceNanos >= readMaxNanos) {
                throw new SealReplacedException(row);
              }
              return answer;
            });
  }

  CompletionStage<RowCounts> count(CountQuery query) {
    return repeated(
        query.row(),
        REPLACED_MAX,
        now ->
            directory
                .row(now, query.row())
                .thenCompose(
                    found ->
                        found == null
                            ? CompletableFuture.completedFuture(RowCounts.NONE)
                            : count(now, query, found)));
  }

  private CompletionStage<RowCounts> count(Tables now, CountQuery query, Directory.Found found) {
    RowCounts counts = found.entry().counts(query);
    if (counts != null) {
      return CompletableFuture.completedFuture(counts);
    }
    RetentionClassReader reader = new RetentionClassReader(now);
    if (!isCountedButForStarts(query, found.entry())) {
      return reader.count(query, found.fact());
    }
    return reader
        .atStarts(query, found.fact())
        .thenCompose(
            atStarts ->
                directory
                    .row(now, query.row())
                    .thenCompose(
                        later ->
                            // Writes that were acknowledged before the read have left a mark.
                            later == null || !isCountedButForStarts(query, later.entry())
                                ? reader.count(query, found.fact())
                                : CompletableFuture.completedFuture(
                                    counts(query, later.entry(), atStarts))));
  }

  /** Whether the manifest lacks only the columns at the first ticks of minutes. */
  private static boolean isCountedButForStarts(CountQuery query, RowEntry entry) {
    return query.endsWithMinutes() && entry.counts(query.fromTickBefore()) != null;
  }

  private static RowCounts counts(CountQuery query, RowEntry entry, int[] atStarts) {
    Manifest manifest = Objects.requireNonNull(entry.manifest());
    ColumnCounter counter = new ColumnCounter(query);
    counter.add(
        query.row().hour().startTicks(),
        manifest.columnsByMinute(),
        atStarts,
        manifest.columns(),
        manifest.bytes());
    return counter.counts();
  }
}
