package hourglass.store.testkit;

import static hourglass.store.testkit.BlockingStore.ALL;
import static hourglass.store.testkit.StoreFixture.column;
import static hourglass.store.testkit.StoreFixture.name;
import static hourglass.store.testkit.StoreFixture.seconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.FieldFilter;
import hourglass.store.Limitation;
import hourglass.store.Order;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.testing.Tier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * A slice is a part of one row: a half-open range of names, in timeuuid order from either end, up
 * to a limit. A walk returns every column of a range exactly once, regardless of concurrent writes.
 */
interface SliceContract extends StoreFixture {
  /** Columns that suffice for several parts. */
  int SECONDS = 1500;

  @Test
  default void unwrittenRowIsEmpty() {
    Slice slice = store().slice(whole(Order.ASCENDING, 10));
    assertThat(slice.columns().isEmpty()).isTrue();
    assertThat(slice.more()).isFalse();
  }

  @Test
  default void namesAreInTimeUuidOrder() {
    List<Column> ordered = extremeNames();
    List<Column> shuffled = new ArrayList<>(ordered);
    Collections.shuffle(shuffled, new Random(2));
    for (Column column : shuffled) {
      store().write(ROW, column);
    }
    assertThat(store().read(ROW)).isEqualTo(ordered);
    assertThat(store().walk(whole(Order.DESCENDING, ALL)))
        .isEqualTo(BlockingStore.inOrder(Order.DESCENDING, ordered));
  }

  @Test
  default void aRangeMayBeginAndEndWithinATick() {
    List<Column> ordered = extremeNames();
    store().write(ROW, ordered);
    for (int from = 0; from < ordered.size(); from++) {
      for (int to = from; to < ordered.size(); to++) {
        ColumnRange range = new ColumnRange(ordered.get(from).name(), ordered.get(to).name());
        assertThat(store().read(ROW, range)).as("%s", range).isEqualTo(ordered.subList(from, to));
      }
    }
  }

  /** Ascending names of two ticks, with lower halves at all edges of signed and unsigned bytes. */
  private static List<Column> extremeNames() {
    long[] edges = {
      0x8080808080808080L,
      0x8080808080808081L,
      0x80808080808080ffL,
      0x8080808080808000L,
      0x808080808080807fL,
      0x80ffffffffffffffL,
      0x8000000000000000L,
      0x807f7f7f7f7f7f7fL,
      0xbfffffffffffffffL,
      0xffffffffffffffffL,
      0x0000000000000000L,
      0x0000000000000001L,
      0x7f80808080808080L,
      0x7f7f7f7f7f7f7f7fL
    };
    long tick = HOUR.startTicks() + 12_345;
    return LongStream.of(tick, tick + 1)
        .boxed()
        .flatMap(
            t ->
                LongStream.of(edges).mapToObj(lsb -> new Column(new TimeUuid(t, lsb), "at " + lsb)))
        .toList();
  }

  @Test
  default void theEdgesOfTheHourBelongToIt() {
    Column first = new Column(TimeUuid.first(HOUR.startTicks()), "first");
    Column last = new Column(new TimeUuid(HOUR.endTicks() - 1, 0x7f7f7f7f7f7f7f7fL), "last");
    store().write(ROW, last, first);
    assertThat(store().read(ROW)).containsExactly(first, last);
  }

  @Test
  default void aRangeIncludesItsStartAndExcludesItsEnd() {
    store().write(ROW, seconds(0, 10));
    assertThat(store().read(ROW, range(3, 6))).isEqualTo(seconds(3, 6));
    assertThat(store().read(ROW, new ColumnRange(name(3).successor(), name(6).successor())))
        .isEqualTo(seconds(4, 7));
  }

  @Test
  default void aRangeMayReachBeyondTheRow() {
    store().write(ROW, seconds(5, 10));
    assertThat(store().read(ROW, range(0, 7))).isEqualTo(seconds(5, 7));
    assertThat(store().read(ROW, range(7, 99))).isEqualTo(seconds(7, 10));
    assertThat(store().read(ROW, ColumnRange.ofTicks(0, 1L << 59))).isEqualTo(seconds(5, 10));
    assertThat(store().read(ROW, range(10, 99))).isEmpty();
    assertThat(store().read(ROW, range(0, 5))).isEmpty();
  }

  @Test
  default void aRangeThatEndsAtOrBeforeItsStartIsEmpty() {
    store().write(ROW, seconds(0, 10));
    for (Order order : Order.values()) {
      for (ColumnRange empty : List.of(range(3, 3), range(6, 3))) {
        Slice slice = store().slice(whole(order, 10).withRange(empty));
        assertThat(slice.columns().isEmpty()).as("%s of %s", order, empty).isTrue();
        assertThat(slice.more()).isFalse();
      }
    }
  }

  @Test
  default void aLimitedSliceBeginsAtTheNearEnd() {
    store().write(ROW, seconds(0, 10));
    Slice oldest = store().slice(whole(Order.ASCENDING, 1));
    assertThat(Column.unpack(oldest.columns())).isEqualTo(seconds(0, 1));
    assertThat(oldest.more()).isTrue();

    Slice newest = store().slice(whole(Order.DESCENDING, 1));
    assertThat(Column.unpack(newest.columns())).isEqualTo(seconds(9, 10));
    assertThat(newest.more()).isTrue();
  }

  @Test
  default void descendingSliceEndsItsRangeAscending() {
    store().write(ROW, seconds(0, 10));
    List<Column> got =
        Column.unpack(store().slice(whole(Order.DESCENDING, 4).withRange(range(1, 8))).columns());
    assertThat(got).isNotEmpty().isEqualTo(seconds(8 - got.size(), 8));
  }

  @Test
  default void aSliceOfAWholeRowNeedsNoSecondQuery() {
    store().write(ROW, seconds(0, 10));
    for (Order order : Order.values()) {
      Slice slice = store().slice(whole(order, ALL));
      assertThat(slice.columns().size() < 10 || !slice.more()).as("%s", slice).isTrue();
    }
  }

  @Test
  default void slicesOfAnySizeWalkTheRowOnce() {
    store().write(ROW, seconds(0, 40));
    for (Order order : Order.values()) {
      for (int columnsMax : new int[] {1, 2, 7, 20, 39, 40, 41, ALL}) {
        assertThat(store().walk(whole(order, columnsMax)))
            .as("%s by %d", order, columnsMax)
            .isEqualTo(BlockingStore.inOrder(order, seconds(0, 40)));
      }
    }
  }

  @Test
  default void writesDoNotDisturbAWalk() {
    for (Order order : Order.values()) {
      RowKey row = new RowKey(HOUR, order.name(), 0);
      store().write(row, seconds(100, 200));
      assertThat(walkWhileWriting(row, order))
          .as("%s", order)
          .isEqualTo(
              BlockingStore.inOrder(
                  order, order == Order.ASCENDING ? seconds(100, 210) : seconds(90, 200)));
    }
  }

  /** Writes columns before and after the reader's position, after each of the first slices. */
  private List<Column> walkWhileWriting(RowKey row, Order order) {
    List<Column> walked = new ArrayList<>();
    SliceQuery query = new SliceQuery(row, WHOLE_HOUR, order, 7, Projection.COLUMNS);
    for (int page = 0; ; page++) {
      Slice slice = store().slice(query);
      walked.addAll(BlockingStore.inOrder(order, Column.unpack(slice.columns())));
      if (!slice.more()) {
        return walked;
      }
      if (page < 10) {
        store().write(row, seconds(200 + page, 201 + page));
        store().write(row, seconds(99 - page, 100 - page));
        if (slice.columns().size() > 1) {
          store().write(row, new Column(slice.columns().first().successor(), "read past"));
        }
      }
      query = query.after(slice);
    }
  }

  @Test
  default void aSliceOfNamesContainsLengthsButNoBytes() {
    store().write(ROW, column(1, "one"), column(2, ""), column(3, "three"));
    for (Order order : Order.values()) {
      assertThat(lengths(store().slices(names(order))))
          .containsExactly(entry(name(1), 3), entry(name(2), 0), entry(name(3), 5));
    }
  }

  @Test
  default void repeatedNameIsReadOnce() {
    store().write(ROW, seconds(0, 10));
    store().write(ROW, seconds(5, 15));
    store().write(ROW, column(7, "of another length"));
    assertThat(lengths(store().slices(names(Order.ASCENDING))).keySet())
        .containsExactlyElementsOf(seconds(0, 15).stream().map(Column::name).toList());
  }

  private static SortedMap<TimeUuid, Integer> lengths(List<Slice> slices) {
    SortedMap<TimeUuid, Integer> lengths = new TreeMap<>(OracleRow.BY_BYTES);
    for (Slice slice : slices) {
      Columns names = slice.columns();
      assertThat(names.bytes()).isEmpty();
      for (int i = 0; i < names.size(); i++) {
        assertThat(lengths.put(names.id(i), names.length(i))).as("seen before").isNull();
      }
    }
    return lengths;
  }

  private static ColumnRange range(int fromSecond, int toSecond) {
    return new ColumnRange(name(fromSecond), name(toSecond));
  }

  private static SliceQuery whole(Order order, int columnsMax) {
    return new SliceQuery(ROW, WHOLE_HOUR, order, columnsMax, Projection.COLUMNS);
  }

  /** The longest payload is not the largest. The columns suffice for several parts. */
  @Test
  default void namesHaveTheLengthOfTheLargerPayload() {
    int seconds = 1500;
    for (String payload : List.of("aaaa", "b", "aaa")) {
      store().write(ROW, IntStream.range(0, seconds).mapToObj(i -> column(i, payload)).toList());
    }
    for (Order order : Order.values()) {
      assertThat(lengths(store().slices(names(order))).values())
          .as("%s", order)
          .hasSize(seconds)
          .containsOnly(1);
    }
  }

  /** The first of each ten columns matches; under some names, only a payload that lost does. */
  @Test
  default void aFilterLeavesOutOnlyColumnsThatCannotMatch() {
    writeCopiesApart();
    checkFiltered(NumberFilter.ZERO, 10);
  }

  /** The larger payload of a name may lack the text that a smaller one has. */
  @Test
  default void aTextLeavesOutOnlyColumnsWithoutIt() {
    writeCopiesApart();
    checkFiltered(NumberFilter.text("n\":0"), 10);
    checkFiltered(NumberFilter.text("0"), 2);
    checkFiltered(NumberFilter.text("copy\":0,"), 2);
    checkFiltered(NumberFilter.text("copy"), 1);
  }

  /** The first two copies may be in parts of their own by then. */
  private void writeCopiesApart() {
    for (int copy = 0; copy < 3; copy++) {
      writeCopy(copy);
      if (copy < 2 && can(Limitation.FORGETS_ON_CLOSE)) {
        reopen();
      }
    }
  }

  /** About one column of {@code oneOf} matches. */
  private void checkFiltered(FieldFilter filter, int oneOf) {
    Set<Column> all = new HashSet<>(store().read(ROW));
    List<Column> matching =
        all.stream().filter(c -> filter.mayMatch(Column.pack(List.of(c)), 0)).toList();
    assertThat(matching).hasSizeBetween(SECONDS / oneOf / 2, 2 * SECONDS / oneOf);
    for (ColumnRange range : List.of(WHOLE_HOUR, range(0, 700), range(900, 900))) {
      Set<Column> needed = new HashSet<>(matching);
      all.stream().filter(c -> !range.contains(c.name())).forEach(needed::add);
      for (Order order : Order.values()) {
        for (int columnsMax : new int[] {Tier.length(500, 100, 7), ALL}) {
          SliceQuery query =
              whole(order, columnsMax).withFilter(new SliceQuery.Filter(filter, range));
          Set<Column> walked = new HashSet<>(store().walk(query));
          String what = "%s by %d, %s in %s".formatted(order, columnsMax, filter, range);
          assertThat(beyond(all, walked)).as("unknown, %s", what).isEmpty();
          assertThat(beyond(walked, needed)).as("left out, %s", what).isEmpty();
        }
      }
    }
  }

  /**
   * Returns the columns of {@code others} that are not known. AssertJ would compare each with each.
   */
  private static List<Column> beyond(Set<Column> known, Set<Column> others) {
    return others.stream().filter(column -> !known.contains(column)).toList();
  }

  /** Under some names, only a payload that lost has the value. */
  @Test
  default void valuesOfTheLargerPayloadsAreCounted() {
    for (int copy = 0; copy < 3; copy++) {
      writeCopy(copy);
      checkValues();
    }
    reopen();
    checkValues();
  }

  /** The first copy is whole; others have a fourth of the names, with larger payloads. */
  private void writeCopy(int copy) {
    store()
        .write(
            ROW,
            IntStream.range(0, SECONDS)
                .filter(i -> copy == 0 || i % 4 == copy)
                .mapToObj(
                    i -> column(i, "{\"copy\":%d,\"n\":%d}".formatted(copy, i * (copy + 1) % 10)))
                .toList());
  }

  private void checkValues() {
    for (ColumnRange range : List.of(WHOLE_HOUR, range(0, 700), range(900, 900))) {
      for (long step : new long[] {Ticks.PER_HOUR, Ticks.PER_MINUTE, 7 * Ticks.PER_SECOND}) {
        for (boolean filtered : new boolean[] {false, true}) {
          CountQuery part = new CountQuery(ROW, range, ROW.hour().startTicks(), step);
          List<Column> expected =
              store().read(ROW).stream()
                  .filter(c -> range.contains(c.name()))
                  .filter(c -> !filtered || NumberFilter.matches(c))
                  .toList();
          assertThat(
                  NumberFilter.counts(
                      store().values(NumberFilter.query(part, filtered)), part, filtered))
              .as("in %s, by %d ticks, filtered %s", range, step, filtered)
              .isEqualTo(NumberFilter.counts(expected, part));
        }
      }
    }
  }

  private static SliceQuery names(Order order) {
    return new SliceQuery(ROW, WHOLE_HOUR, order, ALL, Projection.NAMES);
  }
}
