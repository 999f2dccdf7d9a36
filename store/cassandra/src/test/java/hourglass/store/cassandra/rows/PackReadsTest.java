package hourglass.store.cassandra.rows;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.Order;
import hourglass.store.RowCounts;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.rows.SliceReader;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Slices and counts at the edges of packs and of pages of results. */
class PackReadsTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final RowKey ROW = new RowKey(HOUR, "checkout", 0);
  private static final ColumnRange WHOLE_HOUR = ColumnRange.of(HOUR);
  private static final long START = HOUR.startTicks();

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  private static byte[][] copies(int count, String payload) {
    byte[][] payloads = new byte[count][];
    Arrays.fill(payloads, bytes(payload));
    return payloads;
  }

  private static SliceQuery slice(ColumnRange range, Order order, int columnsMax) {
    return new SliceQuery(ROW, range, order, columnsMax, Projection.COLUMNS);
  }

  private static List<String> payloads(List<Slice> slices) {
    Columns all = Columns.merge(slices.stream().map(Slice::columns).toList());
    return IntStream.range(0, all.size())
        .mapToObj(i -> new String(all.payload(i), ISO_8859_1))
        .toList();
  }

  /** The longer payload is the smaller one, which lengths alone do not show. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 100})
  void copiesOfAColumnCountOnceWithTheLargerPayload(int pageMax) {
    StoredPacks packs = new StoredPacks(pageMax);
    packs.write(StoredPacks.columns(START, 1, bytes("longer, but smaller")));
    packs.write(StoredPacks.columns(START, 1, bytes("z")));
    packs.write(StoredPacks.columns(START, 1, bytes("shorter")));
    assertThat(packs.count(CountQuery.all(ROW))).isEqualTo(new RowCounts(1, 1, Map.of(0, 1L)));
    SliceQuery names = new SliceQuery(ROW, WHOLE_HOUR, Order.ASCENDING, 9, Projection.NAMES);
    assertThat(packs.slice(names).columns().payloadBytes()).isEqualTo(1);
    assertThat(payloads(packs.slices(slice(WHOLE_HOUR, Order.DESCENDING, 1)))).containsExactly("z");
  }

  @Test
  void wholeMinutesAreCountedFromHeads() {
    StoredPacks packs = new StoredPacks(3);
    for (int minute = 0; minute < 60; minute++) {
      long ticks = START + minute * Ticks.PER_MINUTE;
      packs.write(StoredPacks.columns(ticks, 1_000, copies(20, "{}")));
      packs.write(StoredPacks.columns(ticks + Ticks.PER_SECOND, 1_000, copies(2, "{}")));
    }
    CountQuery byMinute = new CountQuery(ROW, WHOLE_HOUR, START, Ticks.PER_MINUTE);
    RowCounts counts = packs.count(byMinute);
    assertThat(counts.columns()).isEqualTo(60 * 22);
    assertThat(counts.bytes()).isEqualTo(60 * 22 * 2);
    assertThat(counts.columnsByStep())
        .hasSize(60)
        .allSatisfy((m, n) -> assertThat(n).isEqualTo(22));
    assertThat(packs.bodies).isZero();
  }

  @Test
  void onlyTheEndsOfARangeAreRead() {
    StoredPacks packs = new StoredPacks(3);
    for (int minute = 0; minute < 60; minute++) {
      long ticks = START + minute * Ticks.PER_MINUTE;
      packs.write(StoredPacks.columns(ticks, Ticks.PER_SECOND, copies(20, "{}")));
    }
    ColumnRange range =
        ColumnRange.ofTicks(
            START + 5 * Ticks.PER_SECOND, START + 59 * Ticks.PER_MINUTE + Ticks.PER_SECOND);
    assertThat(packs.count(new CountQuery(ROW, range, START, Ticks.PER_HOUR)).columns())
        .isEqualTo(15 + 58 * 20 + 1);
    assertThat(packs.bodies).isBetween(2, 10);
  }

  /** The range begins within a pack, in the middle of a minute, after other packs. */
  @ParameterizedTest
  @EnumSource(Order.class)
  void aRangeMayBeginWithinAPack(Order order) {
    for (int pageMax = 1; pageMax < 7; pageMax++) {
      StoredPacks packs = new StoredPacks(pageMax);
      packs.write(StoredPacks.columns(START, 1, copies(20, "before")));
      packs.write(StoredPacks.columns(START + 5, 1_000, copies(20, "long")));
      packs.write(StoredPacks.columns(START + 5_006, 10, copies(20, "middle")));
      packs.write(StoredPacks.columns(START + 5_007, 10, copies(20, "middle")));
      packs.write(StoredPacks.columns(START + Ticks.PER_MINUTE, 1, copies(20, "after")));
      ColumnRange range = ColumnRange.ofTicks(START + 10_006, START + Ticks.PER_MINUTE + 1);
      for (int columnsMax = 1; columnsMax < 14; columnsMax++) {
        assertThat(payloads(packs.slices(slice(range, order, columnsMax))))
            .as(pageMax + " packs a page, " + columnsMax + " columns a slice")
            .hasSize(10)
            .startsWith("long")
            .endsWith("long", "after");
      }
    }
  }

  /** Several packs begin with the same name, over several pages of results. */
  @ParameterizedTest
  @EnumSource(Order.class)
  void packsMayBeginWithOneName(Order order) {
    for (int pageMax = 1; pageMax < 7; pageMax++) {
      StoredPacks packs = new StoredPacks(pageMax);
      for (int step = 1; step <= 12; step++) {
        packs.write(StoredPacks.columns(START, step, copies(10, Character.toString('a' + step))));
      }
      List<String> found = payloads(packs.slices(slice(WHOLE_HOUR, order, 3)));
      assertThat(found).hasSize(packs.slice(slice(WHOLE_HOUR, order, 1_000)).columns().size());
      assertThat(found.get(0)).as("of twelve copies").isEqualTo("m");
      assertThat(found.get(found.size() - 1)).isEqualTo("m");
      assertThat(packs.count(CountQuery.all(ROW)).columns()).isEqualTo(found.size());
    }
  }

  /** The first column of the write precedes the packs already read, and the last follows them. */
  @ParameterizedTest
  @EnumSource(Order.class)
  void aWriteBetweenTwoPagesIsReadWhole(Order order) {
    for (long step : new long[] {Ticks.PER_SECOND, Ticks.PER_MINUTE}) {
      for (int pageMax : new int[] {4, 16, 1_000}) {
        StoredPacks packs = new StoredPacks(4, pageMax);
        // In descending order, a minute is read as a whole.
        for (int i = 1; i <= (step < Ticks.PER_MINUTE ? pageMax - 1 : 20); i++) {
          packs.write(StoredPacks.columns(START + i * step, 1, bytes("before")));
        }
        packs.afterPage(
            () -> packs.write(StoredPacks.columns(START, 50 * Ticks.PER_MINUTE, copies(2, "new"))));
        SliceQuery query = slice(WHOLE_HOUR, order, 1_000);
        Slice slice = packs.slice(query);
        List<String> found = payloads(List.of(slice));
        String nearest = found.get(order == Order.ASCENDING ? 0 : found.size() - 1);
        assertThat(Collections.frequency(found, "new"))
            .as("%s, step %d, pages of %d", order, step, pageMax)
            .isIn(0, slice.more() && nearest.equals("new") ? 1 : 2);
        assertThat(payloads(packs.slices(query)).stream().filter("new"::equals)).hasSize(2);
      }
    }
  }

  /** Deleted packs would make larger pieces too expensive. */
  @ParameterizedTest
  @EnumSource(Order.class)
  void piecesContainAllPacks(Order order) {
    for (int pageMax = 1; pageMax < 9; pageMax++) {
      StoredPacks packs = new StoredPacks(pageMax);
      for (int i = 0; i < 12; i++) {
        packs.write(StoredPacks.columns(START + i * 20 * Ticks.PER_SECOND, 100, copies(9, "x")));
      }
      for (int cut : new int[] {0, 1, 25, 40, 41, 60, 61, 250, 900}) {
        packs.cuts.add(TimeUuid.first(START + cut * Ticks.PER_SECOND));
      }
      ColumnRange range = ColumnRange.ofTicks(START + 401, START + Ticks.PER_HOUR);
      for (int columnsMax : new int[] {1, 7, 1_000}) {
        assertThat(payloads(packs.slices(slice(range, order, columnsMax)))).hasSize(12 * 9 - 5);
      }
      CountQuery byMinute = new CountQuery(ROW, range, START, Ticks.PER_MINUTE);
      assertThat(packs.count(byMinute).columnsByStep())
          .isEqualTo(Map.of(0, 22L, 1, 27L, 2, 27L, 3, 27L));
    }
  }

  /** The number of columns in a page of results does not matter. */
  @ParameterizedTest
  @EnumSource(Order.class)
  void slicesAreLimitedByBytes(Order order) {
    StoredPacks packs = new StoredPacks(1_000);
    String payload = "{\"text\":\"%s\"}".formatted("fox ".repeat(250));
    for (int i = 0; i < 100; i++) {
      packs.write(StoredPacks.columns(START + i * 1_000L, 1, copies(250, payload)));
    }
    List<Slice> slices = packs.slices(slice(WHOLE_HOUR, order, Integer.MAX_VALUE));
    assertThat(slices)
        .hasSizeGreaterThan(5)
        .allMatch(slice -> slice.columns().payloadBytes() < 3 * SliceReader.BYTES_MAX);
    assertThat(payloads(slices)).hasSize(100 * 250);
  }

  @Test
  void aRowWithoutPacksHasNoColumns() {
    StoredPacks packs = new StoredPacks(10);
    assertThat(packs.slice(slice(WHOLE_HOUR, Order.ASCENDING, 10)))
        .isEqualTo(new Slice(Columns.EMPTY, false));
    assertThat(packs.count(CountQuery.all(ROW))).isEqualTo(RowCounts.NONE);
  }
}
