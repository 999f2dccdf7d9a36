package hourglass.store.cassandra;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnCounter;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.Order;
import hourglass.store.RowCounts;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.cassandra.driver.Futures;
import hourglass.store.cassandra.rows.RetentionClass;
import hourglass.store.cassandra.rows.Seal;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads rows, which may be in the tables of several retention classes. Thread-safe. */
record RetentionClassReader(Tables tables) {

  CompletionStage<Slice> slice(SliceQuery query, Directory.Fact fact) {
    if (query.range().isEmpty()) {
      return CompletableFuture.completedFuture(new Slice(Columns.EMPTY, false));
    }
    RetentionClass only = fact.only();
    if (only != null) {
      return tables
          .packs(only)
          .thenCompose(table -> table.slice(query, fact.longest(), fact.seal()));
    }
    // Another table may contain the payload that stays under a name, so no table may filter.
    SliceQuery whole =
        new SliceQuery(
            query.row(), query.range(), query.order(), query.columnsMax(), Projection.COLUMNS);
    Stream<CompletionStage<Slice>> slices =
        fact.classes().stream()
            .map(
                name ->
                    tables
                        .packs(name)
                        .thenCompose(table -> table.slice(whole, fact.longest(), null)));
    Seal seal = fact.seal();
    if (seal != null) {
      Seal pages = new Seal(seal.number(), seal.retentionClass(), seal.columns(), true);
      CompletionStage<Slice> sealed =
          tables
              .packs(seal.retentionClass())
              .thenCompose(table -> table.slice(whole, fact.longest(), pages));
      slices = Stream.concat(slices, Stream.of(sealed));
    }
    return Futures.all(slices)
        .thenApply(
            found -> {
              Slice slice = merge(query, found);
              return query.projection() == Projection.NAMES
                  ? new Slice(slice.columns().namesOnly(), slice.more())
                  : slice;
            });
  }

  CompletionStage<Void> scan(
      RowKey row, ColumnRange range, Directory.Fact fact, Consumer<Columns> consumer) {
    SliceQuery query =
        new SliceQuery(row, range, Order.ASCENDING, Integer.MAX_VALUE - 1, Projection.COLUMNS);
    return slice(query, fact)
        .thenCompose(
            slice -> {
              if (!slice.columns().isEmpty()) {
                consumer.accept(slice.columns());
              }
              return slice.more()
                  ? scan(row, query.after(slice).range(), fact, consumer)
                  : CompletableFuture.completedFuture(null);
            });
  }

  CompletionStage<RowCounts> count(CountQuery query, Directory.Fact fact) {
    RetentionClass only = fact.only();
    if (only != null) {
      return tables
          .packs(only)
          .thenCompose(table -> table.count(query, fact.longest(), fact.seal()));
    }
    ColumnCounter counter = new ColumnCounter(query); // used by one thread at a time
    return scan(query.row(), query.range(), fact, counter::add).thenApply(done -> counter.counts());
  }

  /**
   * Counts the columns at the first tick of each minute of the row's hour that ends a step; 0 for
   * other minutes.
   */
  CompletionStage<int[]> atStarts(CountQuery query, Directory.Fact fact) {
    int[] counts = new int[(int) (Ticks.PER_HOUR / Ticks.PER_MINUTE)];
    return atStarts(query, fact, counts, 0).thenApply(done -> counts);
  }

  private CompletionStage<Void> atStarts(
      CountQuery query, Directory.Fact fact, int[] counts, int from) {
    for (int minute = from; minute < counts.length; minute++) {
      long start = query.row().hour().startTicks() + minute * Ticks.PER_MINUTE;
      ColumnRange range = query.range().intersect(ColumnRange.ofTicks(start, start + 1));
      if ((start + 1 - query.originTicks()) % query.stepTicks() == 0 && !range.isEmpty()) {
        int found = minute; // one read after the other: other rows are read meanwhile
        return scan(query.row(), range, fact, columns -> counts[found] += columns.size())
            .thenCompose(done -> atStarts(query, fact, counts, found + 1));
      }
    }
    return CompletableFuture.completedFuture(null);
  }

  CompletionStage<FieldValues> values(FieldQuery query, Directory.Fact fact) {
    FieldValues values = new FieldValues(query.fields().size());
    if (query.range().isEmpty()) {
      return CompletableFuture.completedFuture(values);
    }
    RetentionClass only = fact.only();
    return only != null
        ? tables.packs(only).thenCompose(table -> table.values(query, fact.longest(), fact.seal()))
        : scan(query.part().row(), query.range(), fact, values::addWhole).thenApply(done -> values);
  }

  /** Joins slices of several tables to the part that all cover, up to the limit of the query. */
  private static Slice merge(SliceQuery query, List<Slice> slices) {
    if (slices.size() == 1) {
      return slices.get(0);
    }
    boolean ascending = query.order() == Order.ASCENDING;
    TimeUuid edge = edge(slices, ascending);
    Columns all = Columns.merge(slices.stream().map(Slice::columns).toList());
    Columns covered = all;
    if (edge != null) {
      covered =
          ascending
              ? all.subColumns(0, all.lowerBound(edge.successor()))
              : all.subColumns(all.lowerBound(edge), all.size());
    }
    int size = Math.min(covered.size(), query.columnsMax());
    return new Slice(covered.nearest(size, query.order()), edge != null || size < all.size());
  }

  /** The nearest end of a slice that did not reach the end of the range; null if all did. */
  private static @Nullable TimeUuid edge(List<Slice> slices, boolean ascending) {
    TimeUuid edge = null;
    for (Slice slice : slices) {
      if (slice.more()) {
        TimeUuid end = ascending ? slice.columns().last() : slice.columns().first();
        if (edge == null || (ascending ? end.compareTo(edge) < 0 : end.compareTo(edge) > 0)) {
          edge = end;
        }
      }
    }
    return edge;
  }
}
