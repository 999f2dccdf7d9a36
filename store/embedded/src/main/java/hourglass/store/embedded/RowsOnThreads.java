package hourglass.store.embedded;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.FieldFilter;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.embedded.memory.LoadedHour;
import hourglass.store.embedded.memory.Row;
import hourglass.store.embedded.memory.RowPart;
import hourglass.store.rows.RowParts;
import hourglass.store.rows.RowPartsReader;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** Reads rows and directories, on threads of the store or of a caller. Thread-safe. */
final class RowsOnThreads {
  private final Hours hours;
  private final RowPartsReader rows;
  private final Readers readers;

  RowsOnThreads(Hours hours, RowPartsReader rows, Readers readers) {
    this.hours = hours;
    this.rows = rows;
    this.readers = readers;
  }

  /** Returns the same reads on other threads. */
  RowsOnThreads on(Executor threads) {
    return new RowsOnThreads(hours, rows, readers.on(threads));
  }

  CompletionStage<Slice> slice(SliceQuery query) {
    Slice absent = new Slice(Columns.EMPTY, false);
    return readers.submit(() -> ofRow(query.row(), absent, parts -> rows.slice(parts, query)));
  }

  CompletionStage<RowCounts> count(CountQuery query) {
    return readers.submit(
        () -> ofRow(query.row(), RowCounts.NONE, parts -> rows.count(parts, query)));
  }

  /** Reads the values of fields in the calling thread. */
  CompletionStage<FieldValues> values(FieldQuery query) {
    return readers.readHere(
        () ->
            ofRow(
                query.part().row(),
                new FieldValues(query.fields().size()),
                parts -> rows.values(parts, query)));
  }

  CompletionStage<List<RowEntry>> rows(Hour hour) {
    return readers.submit(
        () ->
            hours.known(hour, hour).isEmpty()
                ? List.of()
                : hours.with(hour, LoadedHour::directory));
  }

  CompletionStage<List<RowEntry>> mayMatch(List<RowEntry> some, FieldFilter filter) {
    if (some.isEmpty() || !filter.requiresAny()) {
      return CompletableFuture.completedFuture(some);
    }
    Hour hour = some.get(0).row().hour();
    return readers.submit(() -> hours.with(hour, state -> state.mayMatch(some, filter)));
  }

  CompletionStage<List<Hour>> hours(Hour from, Hour to) {
    return readers.submit(() -> hours.known(from, to));
  }

  private <T> T ofRow(RowKey key, T absent, Function<RowParts<RowPart>, T> reading) {
    return hours.with(
        key.hour(),
        state -> {
          Row row = state.rowIfPresent(key);
          return row == null ? absent : reading.apply(row.content().rowParts());
        });
  }
}
