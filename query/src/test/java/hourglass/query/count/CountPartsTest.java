package hourglass.query.count;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.RowEntry;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CountPartsTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");

  private static TimeUuid name(int tick) {
    return TimeUuid.first(HOUR.startTicks() + tick);
  }

  private static RowEntry row(int shard, int first, int last) {
    RowKey key = new RowKey(HOUR, "t", shard);
    return new RowEntry(key, 1, 1, name(first), name(last), null, List.of());
  }

  /** As in {@code 0-10:1 10-20:1,2}; the tick after a last name begins at that name's successor. */
  private static String parts(int from, int to, RowEntry... rows) {
    return CountParts.of(List.of(rows), new ColumnRange(name(from), name(to))).stream()
        .map(
            part ->
                tick(part.range().from())
                    + "-"
                    + tick(part.range().to())
                    + ":"
                    + part.rows().stream()
                        .map(row -> Integer.toString(row.row().shard()))
                        .sorted()
                        .collect(Collectors.joining(",")))
        .collect(Collectors.joining(" "));
  }

  private static long tick(TimeUuid name) {
    return name.ticks() - HOUR.startTicks();
  }

  @Test
  void onlyOverlappingRowsShareAPart() {
    assertThat(parts(0, 100, row(1, 0, 30), row(2, 20, 60), row(3, 50, 90)))
        .isEqualTo("0-20:1 20-30:1,2 30-50:2 50-60:2,3 60-90:3");
  }

  @Test
  void disjointRowsAreSeparateParts() {
    assertThat(parts(0, 100, row(1, 0, 30), row(2, 31, 60))).isEqualTo("0-30:1 31-60:2");
  }

  @Test
  void aRowWithinAnotherSharesItsRange() {
    assertThat(parts(0, 100, row(1, 0, 90), row(2, 40, 50))).isEqualTo("0-40:1 40-50:1,2 50-90:1");
  }

  @Test
  void adjacentOverlapsAreOnePart() {
    assertThat(parts(0, 100, row(1, 0, 60), row(2, 10, 50), row(3, 20, 70)))
        .isEqualTo("0-10:1 10-60:1,2,3 60-70:3");
  }

  @Test
  void theRangeLimitsParts() {
    assertThat(parts(25, 40, row(1, 0, 30), row(2, 20, 60))).isEqualTo("25-30:1,2 30-40:2");
    assertThat(parts(70, 80, row(1, 0, 30), row(2, 20, 60))).isEmpty();
  }

  @Test
  void aSingleCommonNameIsShared() {
    assertThat(parts(0, 100, row(1, 0, 30), row(2, 30, 60))).isEqualTo("0-30:1 30-30:1,2 30-60:2");
  }
}
