package hourglass.query.scan;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.RowEntry;
import hourglass.testing.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FanOutPlanTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final long BUFFER_BYTES = 8 << 20;

  private static RowEntry row(int shard, long columns, long bytes, long first, long last) {
    return new RowEntry(
        new RowKey(HOUR, "type", shard),
        columns,
        bytes,
        TimeUuid.first(HOUR.startTicks() + first),
        TimeUuid.first(HOUR.startTicks() + last),
        null,
        List.of());
  }

  private static List<RowEntry> rows(int count, long columns, long bytes, long ticksEach) {
    List<RowEntry> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(row(i, columns, bytes, i, i + ticksEach));
    }
    return rows;
  }

  @ParameterizedTest
  @CsvSource({
    // rows, columns and bytes of each, overlapping rows: ahead, open, slices, their bytes
    "1, 100000, 17000000, 1, 1, 1, 8, 4194304",
    "6, 100000, 17000000, 6, 6, 6, 8, 699050",
    "24, 41000, 7000000, 6, 8, 14, 8, 419430",
    "1000, 100000, 17000000, 12, 8, 20, 8, 262144",
    "1000, 100000, 17000000, 1000, 8, 1000, 64, 4194",
    "20, 700, 120000, 20, 8, 20, 8, 209715",
    "200, 100, 14000, 1, 64, 65, 64, 127100",
    "5000, 1, 100, 1, 64, 65, 64, 127100",
    "5000, 1, 100, 5000, 64, 5000, 64, 838",
    "3, 1, 100, 1, 3, 3, 64, 2097152",
  })
  void thePlanFollowsTheSizeOfTheRows(
      int rows,
      long columns,
      long bytes,
      int side,
      int ahead,
      int open,
      int slices,
      long sliceBytes) {
    FanOutPlan read =
        FanOutPlan.of(rows(rows, columns, bytes, side - 1), 8, BUFFER_BYTES, Long.MAX_VALUE);
    assertThat(read).isEqualTo(new FanOutPlan(ahead, open, slices, sliceBytes));
  }

  @Test
  void openSlicesFitIntoTheBuffer() {
    for (int rows : new int[] {1, 7, 100, 4000, 100_000}) {
      for (long bytes : new long[] {100, 20_000, 10 << 20}) {
        FanOutPlan read = FanOutPlan.of(rows(rows, 50, bytes, 3), 8, BUFFER_BYTES, Long.MAX_VALUE);
        int walked = Math.min(rows, 4);
        assertThat((read.rowsOpen() + walked) * read.sliceBytes())
            .isLessThanOrEqualTo(BUFFER_BYTES);
        assertThat(read.slices()).isBetween(8, 8 * FanOutPlan.GROWTH_MAX);
      }
    }
  }

  @Test
  void aPageReadsSmallSlices() {
    List<RowEntry> rows = rows(100, 100_000, 17_000_000, 200);
    FanOutPlan page = FanOutPlan.of(rows, 8, BUFFER_BYTES, 11);
    assertThat(page.slices()).as("each is small").isEqualTo(64);
    assertThat(page.rowsAhead()).as("one has enough").isEqualTo(8);
    List<RowEntry> quiet = rows(100, 1, 100, 0);
    assertThat(FanOutPlan.of(quiet, 8, BUFFER_BYTES, 11).rowsAhead()).isEqualTo(11);
    assertThat(FanOutPlan.of(quiet, 8, BUFFER_BYTES, 1000).rowsAhead()).isEqualTo(64);
  }

  @Test
  void aPlanWithoutRowsIsValid() {
    assertThat(FanOutPlan.of(List.of(), 8, BUFFER_BYTES, Long.MAX_VALUE).rowsOpen()).isEqualTo(1);
  }

  @Test
  void countsOverlappingRows() {
    Random random = Seed.random(this);
    for (int round = 0; round < 200; round++) {
      List<RowEntry> rows = new ArrayList<>();
      for (int i = random.nextInt(12); i >= 0; i--) {
        int first = random.nextInt(30);
        rows.add(row(i, 1, 1, first, first + random.nextInt(10)));
      }
      long most = 0;
      for (int tick = 0; tick < 40; tick++) {
        TimeUuid name = TimeUuid.first(HOUR.startTicks() + tick);
        most =
            Math.max(
                most,
                rows.stream()
                    .filter(row -> row.first().compareTo(name) <= 0)
                    .filter(row -> row.last().compareTo(name) >= 0)
                    .count());
      }
      assertThat(FanOutPlan.overlapping(rows)).isEqualTo((int) most);
    }
  }
}
