package hourglass.query.scan;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.NameRanges;
import hourglass.store.RowEntry;
import hourglass.testing.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnsharedRangesTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");

  @Test
  void consecutiveRowsKeepTheirRanges() {
    List<RowEntry> rows = List.of(row("a", 0, 0, 9), row("a", 1, 10, 12), row("b", 0, 5, 11));
    Map<RowKey, ColumnRange> ranges = UnsharedRanges.of(rows, UnsharedRanges::listed);
    rows.forEach(row -> assertThat(ranges.get(row.row())).isEqualTo(UnsharedRanges.listed(row)));
  }

  @Test
  void anOverlapIsInNoRange() {
    Map<RowKey, ColumnRange> ranges =
        UnsharedRanges.of(
            List.of(row("a", 0, 0, 10), row("a", 1, 7, 20), row("a", 2, 20, 30)),
            UnsharedRanges::listed);
    assertThat(ranges)
        .containsEntry(new RowKey(HOUR, "a", 0), new ColumnRange(name(0), name(7)))
        .containsEntry(new RowKey(HOUR, "a", 1), new ColumnRange(name(10).successor(), name(20)))
        .containsEntry(
            new RowKey(HOUR, "a", 2), new ColumnRange(name(20).successor(), name(30).successor()));
  }

  @Test
  void aShortRowShortensALongOneLittle() {
    Map<RowKey, ColumnRange> ranges =
        UnsharedRanges.of(
            List.of(row("a", 0, 3, 4), row("a", 1, 0, 30), row("a", 2, 29, 31)),
            UnsharedRanges::listed);
    assertThat(ranges)
        .containsEntry(new RowKey(HOUR, "a", 1), new ColumnRange(name(4).successor(), name(29)))
        .containsEntry(
            new RowKey(HOUR, "a", 2), new ColumnRange(name(30).successor(), name(31).successor()));
    assertThat(ranges.get(new RowKey(HOUR, "a", 0)).isEmpty()).isTrue();
  }

  @Test
  void theLongestPartIsWithinTheRangeRead() {
    List<RowEntry> rows = List.of(row("a", 0, 10, 12), row("a", 1, 0, 40));
    ColumnRange wanted = new ColumnRange(name(2), name(20));
    assertThat(UnsharedRanges.of(rows, row -> wanted))
        .containsEntry(rows.get(1).row(), new ColumnRange(name(2), name(10)));
  }

  @Test
  void aRangeMayBeASingleTick() {
    RowEntry row = new RowEntry(new RowKey(HOUR, "a", 0), 1, 1, name(3), name(3), null, List.of());
    RowEntry other = row("a", 1, 4, 9);
    RowEntry between = row("a", 2, 3, 4).withNames(null);
    assertThat(UnsharedRanges.of(List.of(row, other), UnsharedRanges::listed))
        .containsEntry(row.row(), UnsharedRanges.listed(row));
    assertThat(UnsharedRanges.of(List.of(row, between), UnsharedRanges::listed).get(row.row()))
        .matches(ColumnRange::isEmpty);
  }

  @Test
  void disjointRowsKeepTheirRanges() {
    NameRanges low = NameRanges.of(new TimeUuid(1, 7));
    NameRanges high = NameRanges.of(new TimeUuid(1, 9));
    List<RowEntry> rows =
        List.of(
            row("a", 0, 0, 10).withNames(low),
            row("a", 1, 7, 20).withNames(high),
            row("a", 2, 15, 30).withNames(high));
    assertThat(UnsharedRanges.of(rows, UnsharedRanges::listed))
        .containsEntry(rows.get(0).row(), UnsharedRanges.listed(rows.get(0)))
        .containsEntry(rows.get(1).row(), new ColumnRange(name(7), name(15)));
  }

  @Test
  void rangesContainNoNameOfAnotherRow() {
    Random random = Seed.random(this);
    for (int n = 0; n < 2_000; n++) {
      List<RowEntry> rows = new ArrayList<>();
      for (int shard = random.nextInt(6); shard >= 0; shard--) {
        int first = random.nextInt(40);
        rows.add(row(random.nextInt(4) == 0 ? "b" : "a", shard, first, first + random.nextInt(15)));
      }
      Map<RowKey, ColumnRange> ranges = UnsharedRanges.of(rows, UnsharedRanges::listed);
      for (RowEntry row : rows) {
        ColumnRange range = ranges.get(row.row());
        IntStream.range(0, 60)
            .mapToObj(UnsharedRangesTest::name)
            .filter(range::contains)
            .forEach(
                name ->
                    assertThat(rows)
                        .filteredOn(other -> other.row().type().equals(row.row().type()))
                        .filteredOn(other -> UnsharedRanges.listed(other).contains(name))
                        .containsExactly(row));
      }
    }
  }

  private static TimeUuid name(int second) {
    return new TimeUuid(HOUR.startTicks() + second, 7);
  }

  private static RowEntry row(String type, int shard, int first, int last) {
    return new RowEntry(
        new RowKey(HOUR, type, shard), 1, 1, name(first), name(last), null, List.of());
  }
}
