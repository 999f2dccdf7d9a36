package hourglass.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.access.SharedRoom;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ShardClaim;
import hourglass.store.ColumnRange;
import hourglass.store.CountQuery;
import hourglass.store.FieldFilter;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.FirstTimes;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.WideColumnStore;
import hourglass.testing.Patience;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A store with blocking calls, which throw the failure of their stage. As thread-safe as the store
 * inside.
 */
record BlockingStore(WideColumnStore inside) {
  private static final long ANSWER_SECONDS = Patience.LONGEST.toSeconds();

  /** A number of columns that no test writes to a row. */
  static final int ALL = 1_000_000;

  void write(RowKey row, Column... columns) {
    write(row, List.of(columns));
  }

  void write(RowKey row, Collection<Column> columns) {
    write(List.of(new Mutation(row, Column.pack(columns))));
  }

  void write(List<Mutation> mutations) {
    await(inside.write(mutations));
  }

  void write(List<Mutation> mutations, FirstTimes firstTimes) {
    await(inside.write(mutations, firstTimes, SharedRoom.NOBODY));
  }

  FirstTimes firstTimes(FirstTimes found) {
    return firstTimes(found, SharedRoom.NOBODY);
  }

  FirstTimes firstTimes(FirstTimes found, Object client) {
    return await(inside.firstTimes(found, client));
  }

  List<Column> read(RowKey row) {
    return read(row, ColumnRange.of(row.hour()));
  }

  List<Column> read(RowKey row, ColumnRange range) {
    return walk(new SliceQuery(row, range, Order.ASCENDING, ALL, Projection.COLUMNS));
  }

  /** All columns of a range in the order of the query. */
  List<Column> walk(SliceQuery query) {
    List<Column> walked = new ArrayList<>();
    for (Slice slice : slices(query)) {
      walked.addAll(inOrder(query.order(), Column.unpack(slice.columns())));
    }
    return walked;
  }

  List<Slice> slices(SliceQuery query) {
    List<Slice> slices = new ArrayList<>();
    Slice slice = slice(query);
    slices.add(slice);
    for (SliceQuery rest = query; slice.more(); ) {
      rest = rest.after(slice);
      slice = slice(rest);
      slices.add(slice);
    }
    return slices;
  }

  /** Checks that the slice is a valid answer to its query. */
  Slice slice(SliceQuery query) {
    Slice slice = await(inside.slice(query));
    assertThat(slice.columns().size())
        .as("columns of a slice")
        .isLessThanOrEqualTo(query.columnsMax());
    for (int i = 0; i < slice.columns().size(); i++) {
      assertThat(query.range().contains(slice.columns().id(i))).as("inside its range").isTrue();
    }
    return slice;
  }

  static <T> List<T> inOrder(Order order, List<T> ascending) {
    List<T> list = new ArrayList<>(ascending);
    if (order == Order.DESCENDING) {
      java.util.Collections.reverse(list);
    }
    return list;
  }

  RowCounts count(CountQuery query) {
    return await(inside.count(query));
  }

  FieldValues values(FieldQuery query) {
    return await(inside.values(query));
  }

  List<RowEntry> rows(Hour hour) {
    return await(inside.rows(hour));
  }

  List<RowEntry> mayMatch(List<RowEntry> rows, FieldFilter filter) {
    return await(inside.mayMatch(rows, filter));
  }

  List<RowKey> rowKeys(Hour hour) {
    return rows(hour).stream().map(RowEntry::row).toList();
  }

  RowEntry entry(RowKey row) {
    List<RowEntry> found =
        rows(row.hour()).stream().filter(entry -> entry.row().equals(row)).toList();
    assertThat(found).as("entries of %s", row).hasSize(1);
    return found.get(0);
  }

  List<Hour> hours(Hour from, Hour to) {
    return await(inside.hours(from, to));
  }

  List<ShardClaim> claim(Hour hour, String type, ShardClaim... claims) {
    return await(inside.claim(new TypeHour(hour, type), List.of(claims)));
  }

  List<ShardClaim> claims(Hour hour, String type) {
    return await(inside.claims(new TypeHour(hour, type)));
  }

  LateArrivals lateArrivals(LateArrivalPlace after, int namesMax) {
    return await(inside.lateArrivals(after, namesMax));
  }

  List<String> dropped(Hour from, Hour to) {
    return await(inside.dropped(from, to)).names();
  }

  void drop(Hour hour) {
    await(inside.drop(hour));
  }

  void drop(TypeHour typeHour) {
    await(inside.drop(typeHour));
  }

  void check() {
    await(inside.check());
  }

  static <T> T await(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException reason) {
        throw reason;
      }
      throw new AssertionError(e);
    } catch (TimeoutException e) {
      throw new AssertionError("no answer within " + ANSWER_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }
}
