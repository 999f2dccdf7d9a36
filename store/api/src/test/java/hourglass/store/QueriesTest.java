package hourglass.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assertions.assertEquals;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.SliceQuery.Projection;
import hourglass.testing.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class QueriesTest {
  private static final RowKey ROW = new RowKey(Model.HOUR, "checkout", 0);
  private static final ColumnRange WHOLE_HOUR = ColumnRange.of(Model.HOUR);

  @Test
  void aRangeIsHalfOpen() {
    ColumnRange range = new ColumnRange(Model.name(3), Model.name(6));
    for (int i = 0; i < 10; i++) {
      assertThat(range.contains(Model.name(i))).as("%d", i).isEqualTo(i >= 3 && i < 6);
    }
    assertThat(range.isEmpty()).isFalse();
    assertThat(new ColumnRange(Model.name(3), Model.name(3)).isEmpty()).isTrue();
    assertThat(new ColumnRange(Model.name(4), Model.name(3)).isEmpty()).isTrue();
    assertThat(new ColumnRange(Model.name(3), Model.name(3).successor()).isEmpty()).isFalse();
  }

  @Test
  void aRangeOfTicksContainsAllTheirNames() {
    ColumnRange range = ColumnRange.ofTicks(10, 12);
    for (long lsb : new long[] {Long.MIN_VALUE, -1, 0, 0x8080808080808080L, 0x7f7f7f7f7f7f7f7fL}) {
      assertThat(range.contains(new TimeUuid(9, lsb))).isFalse();
      assertThat(range.contains(new TimeUuid(10, lsb))).isTrue();
      assertThat(range.contains(new TimeUuid(11, lsb))).isTrue();
      assertThat(range.contains(new TimeUuid(12, lsb))).isFalse();
    }
    assertThat(WHOLE_HOUR)
        .isEqualTo(ColumnRange.ofTicks(Model.HOUR.startTicks(), Model.HOUR.endTicks()));
  }

  @Test
  void anIntersectionContainsTheNamesOfBoth() {
    Random random = Seed.random("QueriesTest.intersect");
    for (int round = 0; round < 5_000; round++) {
      ColumnRange a = new ColumnRange(Model.randomName(random, 12), Model.randomName(random, 12));
      ColumnRange b = new ColumnRange(Model.randomName(random, 12), Model.randomName(random, 12));
      for (int i = 0; i < 12; i++) {
        TimeUuid name = Model.name(i);
        assertEquals(a.contains(name) && b.contains(name), a.intersect(b).contains(name));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void consecutiveSlicesCoverTheRangeOnce(Order order) {
    Random random = Seed.random("QueriesTest.after");
    for (int round = 0; round < 500; round++) {
      Columns row = Model.build(Model.randomColumns(random, random.nextInt(80), 120));
      ColumnRange range =
          new ColumnRange(Model.randomName(random, 120), Model.randomName(random, 120));
      SliceQuery query =
          new SliceQuery(ROW, range, order, 1 + random.nextInt(9), Projection.COLUMNS);
      List<TimeUuid> expected = Model.names(row.within(range));
      assertEquals(expected, walk(row, query));
    }
  }

  private static List<TimeUuid> walk(Columns row, SliceQuery first) {
    List<TimeUuid> walked = new ArrayList<>();
    SliceQuery query = first;
    while (true) {
      Slice slice = answer(row, query);
      boolean ascending = query.order() == Order.ASCENDING;
      walked.addAll(ascending ? walked.size() : 0, Model.names(slice.columns()));
      if (!slice.more()) {
        return walked;
      }
      SliceQuery next = query.after(slice);
      assertThat(next).isEqualTo(query.withRange(next.range()));
      query = next;
    }
  }

  private static Slice answer(Columns row, SliceQuery query) {
    Columns inside = row.within(query.range());
    int taken = Math.min(query.columnsMax(), inside.size());
    int from = query.order() == Order.ASCENDING ? 0 : inside.size() - taken;
    return new Slice(inside.subColumns(from, from + taken), taken < inside.size());
  }

  @Test
  void aSliceOfNoColumnsIsRefused() {
    for (int columnsMax : new int[] {0, -1, Integer.MIN_VALUE}) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  new SliceQuery(ROW, WHOLE_HOUR, Order.ASCENDING, columnsMax, Projection.COLUMNS))
          .withMessageContaining("columnsMax: " + columnsMax);
    }
  }

  @Test
  void sliceWithMoreIsNotEmpty() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Slice(Columns.EMPTY, true));
    assertThat(new Slice(Columns.EMPTY, false).more()).isFalse();
  }

  @Test
  void stepsAreHalfOpen() {
    long start = Model.HOUR.startTicks();
    CountQuery query = new CountQuery(ROW, WHOLE_HOUR, start, Ticks.PER_MINUTE);
    assertThat(query.step(start)).isZero();
    assertThat(query.step(start + Ticks.PER_MINUTE - 1)).isZero();
    assertThat(query.step(start + Ticks.PER_MINUTE)).isEqualTo(1);
    assertThat(query.step(Model.HOUR.endTicks() - 1)).isEqualTo(59);
  }

  @Test
  void aCountOfAllHasOneStep() {
    CountQuery all = CountQuery.all(ROW);
    assertThat(all.range()).isEqualTo(WHOLE_HOUR);
    assertThat(all.step(Model.HOUR.startTicks())).isZero();
    assertThat(all.step(Model.HOUR.endTicks() - 1)).isZero();
  }

  @Test
  void stepsWithoutALengthAreRefused() {
    for (long stepTicks : new long[] {0, -1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new CountQuery(ROW, WHOLE_HOUR, 0, stepTicks))
          .withMessageContaining("stepTicks: " + stepTicks);
    }
  }

  @Test
  void columnsOfAnotherHourAreRefused() {
    long start = Model.HOUR.startTicks();
    long end = Model.HOUR.endTicks();
    assertThat(new Mutation(ROW, at(start, end - 1)).columns().size()).isEqualTo(2);
    for (Columns outside : List.of(at(start - 1), at(end), at(start - 1, start), at(start, end))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Mutation(ROW, outside))
          .withMessageContaining(ROW.toString())
          .withMessageContaining("another hour");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Mutation(ROW, Columns.EMPTY))
        .withMessageContaining("no columns");
  }

  private static Columns at(long... ticks) {
    List<Map.Entry<TimeUuid, String>> columns = new ArrayList<>();
    for (long tick : ticks) {
      columns.add(Map.entry(TimeUuid.first(tick), "x"));
    }
    return Model.build(columns);
  }

  @Test
  void aRowIsSealedOnlyUnderTheMarksOfItsManifest() {
    List<RowEntry.Mark> marks = List.of(new RowEntry.Mark("a", 1), new RowEntry.Mark("b", 7));
    Manifest manifest = new Manifest(1, 1, Model.name(1), Model.name(1), 42, new int[60], marks);
    assertThat(entry(manifest, marks).sealed()).isTrue();
    assertThat(entry(null, marks).sealed()).isFalse();
    assertThat(entry(manifest, List.of(marks.get(0))).sealed()).isFalse();
    assertThat(entry(manifest, List.of(marks.get(0), new RowEntry.Mark("b", 8))).sealed())
        .isFalse();
  }

  private static RowEntry entry(Manifest manifest, List<RowEntry.Mark> marks) {
    return new RowEntry(ROW, 1, 1, Model.name(1), Model.name(1), manifest, marks);
  }
}
