package hourglass.query.service;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.query.EventQuery;
import hourglass.query.QueryOptions;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.encode.CsvTable;
import hourglass.query.encode.EventFormat;
import hourglass.query.scan.FanOutPlan;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.SliceQuery;
import hourglass.store.testkit.OracleStore;
import hourglass.testing.Tier;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The number and size of parallel reads follow the data. */
class FanOutTest {
  /** Rows, far more than are read at once. */
  private static final int MANY = Tier.length(50, 120, 120);

  private static final Hour FIRST = Hour.parse("2026-11-20T08");

  private final OracleStore oracle = new OracleStore();
  private final RoundTrips store = new RoundTrips(oracle);
  private final QueryOptions options = QueryOptions.builder().build();

  /** Continues in the answering thread, so that a round trip ends with all its requests made. */
  private final QueryService service =
      new QueryService(store, options, Clock.systemUTC(), Runnable::run);

  private static Hour hour(int n) {
    return new Hour(FIRST.epochHours() + n);
  }

  /** Columns at equal distances in a part of the hour. */
  private void fill(RowKey row, int columns, double from, double to, String payload) {
    byte[] bytes = payload.getBytes(StandardCharsets.UTF_8);
    ColumnsBuilder pack = new ColumnsBuilder(columns, columns * bytes.length);
    for (int i = 0; i < columns; i++) {
      double at = from + (to - from) * i / columns;
      long ticks = row.hour().startTicks() + (long) (at * Ticks.PER_HOUR);
      pack.add(ticks, TimeUuid.first(0).lsb(), bytes, 0, bytes.length);
    }
    oracle.write(List.of(new Mutation(row, pack.build())));
  }

  private void fill(Hour hour, String type, int columns) {
    fill(new RowKey(hour, type, 0), columns, 0, 1, "{\"n\":1}");
  }

  private List<String> read(String type, Order order, long limit) {
    TreeSet<String> types = type.isEmpty() ? new TreeSet<>() : new TreeSet<>(Set.of(type));
    Selection selection = new Selection(types, TimeRange.ALL, "");
    EventQuery query = new EventQuery(selection, order, limit, null);
    return store.read(service.events(query, EventFormat.RAW, CsvTable.STANDARD));
  }

  private Set<RowKey> rowsRead() {
    return store.slices().stream().map(SliceQuery::row).collect(Collectors.toSet());
  }

  @Test
  void hoursWithFewEventsAreReadTogether() {
    for (int i = 0; i < 300; i++) {
      fill(hour(i), "quiet", 5);
    }
    assertThat(read("", Order.DESCENDING, 1000)).hasSize(1000);
    assertThat(store.slices()).hasSizeBetween(200, 203);
    assertThat(store.directories()).isBetween(201, 220);
    assertThat(store.trips()).as("one after the other: 203").isLessThan(32);
  }

  @Test
  void fewLargeDirectoriesAreHeldAtOnce() {
    for (int i = 0; i < 12; i++) {
      for (int row = 0; row < 500; row++) {
        fill(new RowKey(hour(i), "type-" + row, 0), 1, 0, 1, "");
      }
    }
    QueryOptions small = QueryOptions.builder().bufferBytes(1 << 20).build();
    QueryService narrow = new QueryService(store, small, Clock.systemUTC(), Runnable::run);
    EventQuery all = new EventQuery(Selection.ALL, Order.ASCENDING, EventQuery.ALL - 1, null);
    store.afterTrip(30, () -> assertThat(store.directories()).isLessThan(8));
    assertThat(store.read(narrow.events(all, EventFormat.RAW, CsvTable.STANDARD)))
        .hasSize(12 * 500);
    assertThat(store.trips()).isGreaterThan(30);
  }

  @Test
  void anHourWithEnoughEventsIsReadAlone() {
    for (int i = 0; i < Tier.length(50, 300, 300); i++) {
      fill(hour(i), "busy", 2000);
    }
    assertThat(read("", Order.ASCENDING, 1000)).hasSize(1000);
    assertThat(rowsRead()).containsExactly(new RowKey(FIRST, "busy", 0));
    assertThat(store.directories()).isEqualTo(2);
    assertThat(store.trips()).isEqualTo(3);
  }

  @Test
  void hoursWithoutTheTypeReadOnlyTheirDirectory() {
    for (int i = 0; i < 300; i++) {
      fill(hour(i), "other", 50);
    }
    fill(hour(299), "rare", 3);
    assertThat(read("rare", Order.ASCENDING, 1000)).hasSize(3);
    assertThat(store.slices()).hasSize(1);
    assertThat(store.trips()).as("one after the other: 300").isLessThan(26);
  }

  @Test
  void pageReadsOnlyTheRowsThatItReaches() {
    for (int i = 0; i < MANY; i++) {
      fill(
          new RowKey(FIRST, "hot", i),
          500,
          i / (double) MANY,
          (i + 1) / (double) MANY,
          "x".repeat(1000));
    }
    assertThat(read("", Order.DESCENDING, 10)).hasSize(10);
    assertThat(rowsRead())
        .hasSize(1 + options.fanOut())
        .contains(new RowKey(FIRST, "hot", MANY - 1));
    assertThat(store.trips()).isEqualTo(3);
  }

  @Test
  void mergeKeepsOrderWhileColumnsAreAdded() {
    for (int i = 0; i < 40; i++) {
      fill(new RowKey(FIRST, "hot", i), 500, i / 40.0, (i + 1) / 40.0, "x".repeat(1000));
    }
    EventQuery query = new EventQuery(Selection.ALL, Order.ASCENDING, 30 * 500, null);
    EventStream stream = service.events(query, EventFormat.NDJSON, CsvTable.STANDARD);
    store.afterTrip(5, () -> fill(new RowKey(FIRST, "hot", 29), 1, 0, 1, "\"late\""));
    List<String> times =
        store.read(stream).stream()
            .map(line -> line.replaceAll(".*\"time\":\"([^\"]+)\".*", "$1"))
            .toList();
    assertThat(times).hasSize(30 * 500).isSorted();
    assertThat(rowsRead()).contains(new RowKey(FIRST, "hot", 29));
  }

  @Test
  void consecutiveRowsAreReadInLargeSlices() {
    for (int i = 0; i < MANY; i++) {
      fill(
          new RowKey(FIRST, "hot", i),
          500,
          i / (double) MANY,
          (i + 1) / (double) MANY,
          "x".repeat(1000));
    }
    assertThat(read("", Order.ASCENDING, EventQuery.ALL)).hasSize(MANY * 500);
    assertThat(store.slices().size()).isLessThanOrEqualTo(2 * MANY);
    assertThat(store.slicesUnderWayMax()).isLessThanOrEqualTo(options.fanOut());
  }

  @Test
  void smallRowsAreReadManyAtATime() {
    for (int i = 0; i < 2000; i++) {
      fill(new RowKey(FIRST, "quiet-" + i, 0), 3, 0, 1, "{\"n\":1}");
    }
    assertThat(read("", Order.ASCENDING, EventQuery.ALL)).hasSize(3 * 2000);
    assertThat(store.slices()).hasSize(2000);
    assertThat(store.slicesUnderWayMax()).isEqualTo(FanOutPlan.GROWTH_MAX * options.fanOut());
    assertThat(store.trips()).as("eight at a time: 252").isLessThan(36);
  }

  @Test
  void theFanOutOfAnHourFollowsItsOwnRows() {
    for (int i = 0; i < 6; i += 2) {
      for (int row = 0; row < 1000; row++) {
        fill(new RowKey(hour(i), "quiet-" + row, 0), 3, 0, 1, "{\"n\":1}");
      }
      for (int row = 0; row < 10; row++) {
        fill(new RowKey(hour(i + 1), "busy-" + row, 0), 200, 0, 1, "x".repeat(1000));
      }
    }
    assertThat(read("", Order.ASCENDING, EventQuery.ALL)).hasSize(3 * (3000 + 2000));
    assertThat(store.trips()).as("eight at a time: 375 for the quiet ones").isLessThan(120);
  }

  @Test
  void largeRowsAreReadOneFanOutAtATime() {
    for (int i = 0; i < 20; i++) {
      fill(new RowKey(FIRST, "busy-" + i, 0), 2000, 0, 1, "x".repeat(1000));
    }
    assertThat(read("", Order.ASCENDING, EventQuery.ALL)).hasSize(20 * 2000);
    assertThat(store.slicesUnderWayMax()).isLessThanOrEqualTo(options.fanOut());
  }
}
