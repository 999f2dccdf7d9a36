package hourglass.store.testkit;

import static hourglass.store.testkit.StoreFixture.column;
import static hourglass.store.testkit.StoreFixture.name;
import static hourglass.store.testkit.StoreFixture.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.CountQuery;
import hourglass.store.Limitation;
import hourglass.store.RowCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * {@code count} agrees with a walk, for any range and steps, and however often a column was
 * written.
 */
interface CountContract extends StoreFixture {

  @Test
  default void unwrittenRowHasNoColumns() {
    assertThat(store().count(CountQuery.all(ROW))).isEqualTo(RowCounts.NONE);
  }

  @Test
  default void aCountContainsColumnsAndBytes() {
    store().write(ROW, column(1, "one"), column(2, ""), column(3, "three"));
    assertThat(store().count(CountQuery.all(ROW))).isEqualTo(new RowCounts(3, 8, Map.of(0, 3L)));
  }

  @Test
  default void repeatsCountOnce() {
    store().write(ROW, seconds(0, 10));
    store().write(ROW, seconds(0, 10));
    store().write(ROW, seconds(5, 15));
    assertThat(store().count(CountQuery.all(ROW))).isEqualTo(countsOfSeconds(0, 15));
    reopen();
    store().write(ROW, seconds(0, 15));
    assertThat(store().count(CountQuery.all(ROW))).isEqualTo(countsOfSeconds(0, 15));
  }

  private static RowCounts countsOfSeconds(int from, int to) {
    long bytes = seconds(from, to).stream().mapToLong(column -> column.payload().length()).sum();
    return new RowCounts(to - from, bytes, Map.of(0, (long) to - from));
  }

  @Test
  default void aCountUsesTheLargerOfTwoPayloads() {
    store().write(ROW, column(1, "longer, but smaller"), column(2, "z"));
    store().write(ROW, column(1, "short"), column(2, "longer, but smaller"));
    assertThat(store().count(CountQuery.all(ROW))).isEqualTo(new RowCounts(2, 6, Map.of(0, 2L)));
  }

  @Test
  default void onlyTheRangeIsCounted() {
    store().write(ROW, seconds(0, 100));
    for (int from = 0; from < 100; from += 33) {
      for (int to = 0; to < 100; to += 33) {
        ColumnRange range = new ColumnRange(name(from), name(to));
        assertThat(store().count(new CountQuery(ROW, range, HOUR.startTicks(), Ticks.PER_HOUR)))
            .as("%d to %d", from, to)
            .isEqualTo(from < to ? countsOfSeconds(from, to) : RowCounts.NONE);
      }
    }
  }

  @Test
  default void columnsAreCountedByMinute() {
    store().write(ROW, column(0, ""), column(59, ""), column(60, ""), column(3599, ""));
    assertThat(byStep(WHOLE_HOUR, HOUR.startTicks(), Ticks.PER_MINUTE))
        .isEqualTo(Map.of(0, 2L, 1, 1L, 59, 1L));
  }

  @Test
  default void columnsAreCountedBySecond() {
    store().write(ROW, column(7, ""), column(8, ""), new Column(name(8).successor(), ""));
    assertThat(byStep(WHOLE_HOUR, HOUR.startTicks(), Ticks.PER_SECOND))
        .isEqualTo(Map.of(7, 1L, 8, 2L));
  }

  @Test
  default void stepsAreHalfOpen() {
    TimeUuid start = TimeUuid.first(HOUR.startTicks() + Ticks.PER_MINUTE);
    TimeUuid before = new TimeUuid(start.ticks() - 1, 0x7f7f7f7f7f7f7f7fL);
    store().write(ROW, new Column(before, "last of minute 0"), new Column(start, "first of 1"));
    assertThat(byStep(WHOLE_HOUR, HOUR.startTicks(), Ticks.PER_MINUTE))
        .isEqualTo(Map.of(0, 1L, 1, 1L));
  }

  @Test
  default void stepsMayHaveAnyOriginAndLength() {
    store().write(ROW, seconds(0, 3600));
    long origin = HOUR.startTicks() - 12_345_678_901L;
    long step = 17 * Ticks.PER_SECOND + 7;
    ColumnRange range = new ColumnRange(name(100), name(2000).successor());
    Map<Integer, Long> expected = new TreeMap<>();
    for (int second = 100; second <= 2000; second++) {
      expected.merge((int) ((name(second).ticks() - origin) / step), 1L, Long::sum);
    }
    assertThat(byStep(range, origin, step)).isEqualTo(expected);
  }

  @Test
  default void stepsMayBeginInsideTheHour() {
    store().write(ROW, seconds(0, 3600));
    long origin = HOUR.startTicks() + 30 * Ticks.PER_MINUTE;
    ColumnRange range = ColumnRange.ofTicks(origin, HOUR.endTicks());
    assertThat(byStep(range, origin, 10 * Ticks.PER_MINUTE))
        .isEqualTo(Map.of(0, 600L, 1, 600L, 2, 600L));
  }

  @Test
  default void stepsMayEndAfterTheFirstTickOfAMinute() {
    List<Column> columns = new ArrayList<>(seconds(0, 3600));
    for (int minute = 0; minute < 60; minute++) {
      TimeUuid name = name(60 * minute);
      for (int more = minute % 3; more > 0; more--) {
        columns.add(new Column(new TimeUuid(name.ticks(), name.lsb() + more), "at the tick"));
      }
      columns.add(new Column(new TimeUuid(name.ticks() + 1, name.lsb()), "a tick later"));
    }
    store().write(ROW, columns);
    checkStepsThatEndWithMinutes(columns);
    if (can(Limitation.NEVER_SEALS)) {
      sealNow();
      checkStepsThatEndWithMinutes(columns);
    }
  }

  private void checkStepsThatEndWithMinutes(List<Column> columns) {
    for (int minutes : new int[] {1, 7, 60}) {
      for (int from : new int[] {-60, 0, 5}) {
        long origin = HOUR.startTicks() + from * Ticks.PER_MINUTE + 1;
        long step = minutes * Ticks.PER_MINUTE;
        ColumnRange range =
            ColumnRange.ofTicks(Math.max(origin, HOUR.startTicks()), HOUR.endTicks());
        Map<Integer, Long> expected = new TreeMap<>();
        for (Column column : columns) {
          if (range.contains(column.name())) {
            expected.merge((int) ((column.name().ticks() - origin) / step), 1L, Long::sum);
          }
        }
        // The second query may use facts that the first one kept.
        assertThat(byStep(range, origin, step)).as("%d from %d", minutes, from).isEqualTo(expected);
        assertThat(byStep(range, origin, step)).isEqualTo(expected);
      }
    }
  }

  @Test
  default void stepsMayLastManyHours() {
    store().write(ROW, seconds(0, 10));
    long origin = HOUR.startTicks() - 30 * Ticks.PER_HOUR;
    assertThat(byStep(WHOLE_HOUR, origin, 24 * Ticks.PER_HOUR)).isEqualTo(Map.of(1, 10L));
  }

  @Test
  default void stepsCountRepeatsOnce() {
    store().write(ROW, seconds(0, 120));
    store().write(ROW, seconds(60, 180));
    store().write(ROW, seconds(30, 90));
    assertThat(byStep(WHOLE_HOUR, HOUR.startTicks(), Ticks.PER_MINUTE))
        .isEqualTo(Map.of(0, 60L, 1, 60L, 2, 60L));
  }

  @Test
  default void rowsAreCountedSeparately() {
    RowKey other = new RowKey(HOUR, "checkout", 1);
    store().write(ROW, seconds(0, 10));
    store().write(other, seconds(5, 7));
    assertThat(store().count(CountQuery.all(ROW)).columns()).isEqualTo(10);
    assertThat(store().count(CountQuery.all(other)).columns()).isEqualTo(2);
  }

  private Map<Integer, Long> byStep(ColumnRange range, long originTicks, long stepTicks) {
    RowCounts counts = store().count(new CountQuery(ROW, range, originTicks, stepTicks));
    assertThat(counts.columnsByStep().values().stream().mapToLong(Long::longValue).sum())
        .as("all steps together")
        .isEqualTo(counts.columns());
    return counts.columnsByStep();
  }
}
