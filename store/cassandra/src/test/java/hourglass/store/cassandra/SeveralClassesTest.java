package hourglass.store.cassandra;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.bytes.ByteSearch;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.CountQuery;
import hourglass.store.FieldFilter;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.Manifest;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.Retention;
import hourglass.store.RowCounts;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.TextFilter;
import hourglass.store.testkit.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows with columns of two retention classes, in two tables. */
class SeveralClassesTest {
  private static final String KEYSPACE = OneNode.freshKeyspace();
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  private static final TestClock CLOCK = new TestClock(NOW);

  private static int hours;
  private static CassandraStore before;
  private static CassandraStore store;

  private final Hour hour = new Hour(Hour.parse("2026-10-01T08").epochHours() + hours++);
  private final RowKey row = new RowKey(hour, "checkout", 0);
  private final ColumnRange wholeHour = ColumnRange.of(hour);
  private final Map<TimeUuid, String> expected = new TreeMap<>();

  /** The retention was another one before. */
  @BeforeAll
  static void open() {
    before = open(Duration.ofDays(400));
    store = open(Retention.FOREVER);
  }

  private static CassandraStore open(Duration keep) {
    return OneNode.open(
        OneNode.options(KEYSPACE)
            .retention(Retention.of(keep, Map.of()))
            .sealAfter(Duration.ZERO)
            .trustFor(Duration.ofMillis(20))
            .build(),
        CLOCK);
  }

  @AfterAll
  static void close() {
    store.close();
    before.close();
  }

  @BeforeEach
  void resetClock() {
    CLOCK.set(NOW);
  }

  private static <T> T await(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private TimeUuid name(int second) {
    return TimeUuid.first(hour.startTicks() + second * Ticks.PER_SECOND);
  }

  private void writeBefore(int from, int to, String payload) {
    write(before, from, to, payload);
  }

  private void writeNow(int from, int to, String payload) {
    write(store, from, to, payload);
  }

  /** A column for each second of {@code [from, to)}. */
  private void write(CassandraStore by, int from, int to, String payload) {
    byte[] bytes = payload.getBytes(ISO_8859_1);
    ColumnsBuilder columns = new ColumnsBuilder(to - from, 0);
    for (int second = from; second < to; second++) {
      TimeUuid name = name(second);
      columns.add(name.ticks(), name.lsb(), bytes, 0, bytes.length);
      expect(name, payload);
    }
    await(by.write(List.of(new Mutation(row, columns.build()))));
  }

  private void expect(TimeUuid name, String payload) {
    expected.merge(name, payload, (a, b) -> a.compareTo(b) >= 0 ? a : b);
  }

  /** Parts of the row in the table of before, of now, and of both, with other payloads. */
  private void writeMixture() {
    writeBefore(0, 300, "{\"n\":1}");
    writeNow(200, 260, "{\"n\":0,\"longer\":true}"); // smaller
    writeNow(230, 400, "{\"n\":2}"); // larger
    writeNow(40, 43, "{}"); // larger still
  }

  private List<String> walk(SliceQuery query) {
    List<String> found = new ArrayList<>();
    for (SliceQuery rest = query; rest != null; ) {
      Slice slice = await(store.slice(rest));
      Columns columns = slice.columns();
      List<String> part = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        String payload =
            query.projection() == Projection.NAMES
                ? Integer.toString(columns.length(i))
                : new String(columns.payload(i), ISO_8859_1);
        part.add(columns.id(i) + " " + payload);
      }
      assertThat(part).hasSizeLessThanOrEqualTo(query.columnsMax());
      found.addAll(query.order() == Order.ASCENDING ? found.size() : 0, part);
      rest = slice.more() ? rest.after(slice) : null;
    }
    return found;
  }

  private List<String> expectedColumns() {
    return expected.entrySet().stream().map(e -> e.getKey() + " " + e.getValue()).toList();
  }

  private void assertRead(Order order) {
    for (int columnsMax : new int[] {7, 100, 5_000, Integer.MAX_VALUE}) {
      SliceQuery all = new SliceQuery(row, wholeHour, order, columnsMax, Projection.COLUMNS);
      assertThat(walk(all)).isEqualTo(expectedColumns());
      SliceQuery names = new SliceQuery(row, wholeHour, order, columnsMax, Projection.NAMES);
      assertThat(walk(names))
          .isEqualTo(
              expected.entrySet().stream()
                  .map(column -> column.getKey() + " " + column.getValue().length())
                  .toList());
      FieldFilter zero = new TextFilter(new ByteSearch("\"n\":0".getBytes(ISO_8859_1), false));
      assertThat(walk(all.withFilter(new SliceQuery.Filter(zero, wholeHour))))
          .as("no payload but that which stays")
          .isSubsetOf(expectedColumns())
          .containsAll(
              expectedColumns().stream().filter(column -> column.contains("\"n\":0")).toList());
    }
    CountQuery minutes = new CountQuery(row, wholeHour, hour.startTicks(), Ticks.PER_MINUTE);
    RowCounts counts = await(store.count(minutes));
    assertThat(counts.columns()).isEqualTo(expected.size());
    assertThat(counts.bytes()).isEqualTo(bytes());
    assertThat(counts.columnsByStep().get(0)).isEqualTo(60);
    FieldValues values = await(store.values(new FieldQuery(minutes, List.of(), null)));
    int apart = IntStream.range(0, values.size()).map(values::count).sum();
    int whole = values.whole().stream().mapToInt(Columns::size).sum();
    assertThat(apart + whole).isEqualTo(expected.size());
  }

  private long bytes() {
    return expected.values().stream().mapToLong(String::length).sum();
  }

  private RowEntry entry() {
    return await(store.rows(hour)).stream()
        .filter(entry -> entry.row().equals(row))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void columnsOfAnEarlierRetentionClassAreRead(Order order) {
    writeBefore(0, 300, "{\"n\":1}");
    assertThat(entry().columns()).isEqualTo(300);
    assertThat(await(store.hours(hour, hour))).containsExactly(hour);
    assertRead(order);
  }

  @ParameterizedTest
  @EnumSource(Order.class)
  void columnsOfTwoRetentionClassesAreOneRow(Order order) {
    writeMixture();
    assertRead(order);
  }

  /** Slices of both tables end by their bytes, each at another name. */
  @ParameterizedTest
  @EnumSource(Order.class)
  void largeColumnsOfTwoRetentionClassesAreOneRow(Order order) {
    writeBefore(0, 300, "a".repeat(20_000));
    writeNow(280, 560, "b".repeat(20_000));
    SliceQuery all = new SliceQuery(row, wholeHour, order, Integer.MAX_VALUE, Projection.COLUMNS);
    assertThat(walk(all).equals(expectedColumns())).isTrue();
  }

  @Test
  void bothRetentionClassesAreSealed() {
    writeMixture();
    CLOCK.set(NOW.plus(Duration.ofDays(1)));
    await(store.sealNow());
    Manifest manifest = entry().manifest();
    assertThat(entry().sealed()).isTrue();
    assertThat(manifest.columns()).isEqualTo(400);
    assertThat(manifest.bytes()).isEqualTo(bytes());
    assertThat(manifest.columnsByMinute()).startsWith(60, 60, 60, 60, 60, 60, 40, 0);
    writeNow(500, 501, "{}");
    assertThat(entry().sealed()).isFalse();
    assertRead(Order.ASCENDING);
  }

  @Test
  void bothRetentionClassesAreDropped() {
    writeMixture();
    assertThat(stored("packs_400d")).isNotEmpty();
    assertThat(stored("packs_keep")).isNotEmpty();
    await(store.drop(hour));
    assertThat(stored("packs_400d")).isEmpty();
    assertThat(stored("packs_keep")).isEmpty();
    assertThat(await(store.rows(hour))).isEmpty();
    expected.clear();
    writeNow(0, 90, "{\"n\":3}");
    assertRead(Order.ASCENDING);
    assertThat(entry().marks()).hasSize(1);
  }

  private Set<UUID> stored(String table) {
    Set<UUID> ids = new HashSet<>();
    OneNode.session()
        .execute("SELECT id FROM " + KEYSPACE + "." + table + " WHERE row = ?", row.toString())
        .forEach(found -> ids.add(found.getUuid(0)));
    return ids;
  }
}
