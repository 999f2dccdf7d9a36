package hourglass.store.embedded.late;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.access.SharedRoom;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.NameRanges;
import hourglass.store.embedded.files.PageMeta;
import hourglass.store.embedded.memory.LoadedHour;
import hourglass.store.embedded.memory.OpenRun;
import hourglass.store.embedded.memory.PageRef;
import hourglass.store.embedded.memory.Row;
import hourglass.store.rows.MinuteCounts;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The lookup decides which parts of rows are read to find duplicate names. */
class DuplicateLookupTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final RowKey ROW = new RowKey(HOUR, "orders", 0);
  private static final int COLUMNS = 100;

  private final Row row = new Row(ROW, new LoadedHour(HOUR, new SharedRoom(Long.MAX_VALUE)));

  /** Numbered from {@code first} on, a second apart. */
  private static Columns numbered(int first) {
    ColumnsBuilder columns = new ColumnsBuilder(COLUMNS, 2 * COLUMNS);
    for (int n = 0; n < COLUMNS; n++) {
      long ticks = HOUR.startTicks() + n * Ticks.PER_SECOND;
      columns.add(ticks, TimeUuidGenerator.lsb(first + n), new byte[] {'{', '}'}, 0, 2);
    }
    return columns.build();
  }

  /** A page that cannot be read. */
  private void addPage(Columns columns, boolean hasNames, long group) {
    NameRanges names = hasNames ? NameRanges.of(columns) : null;
    PageMeta page =
        new PageMeta(
            ROW,
            group,
            0,
            0,
            0,
            0,
            columns.size(),
            2L * columns.size(),
            columns.first(),
            columns.last(),
            group,
            new MinuteCounts(0, new int[] {columns.size()}),
            names);
    row.update(content -> content.flushed(0, List.of(new PageRef(null, page))));
  }

  private int candidates(Columns columns, long sinceGroup) {
    return DuplicateLookup.candidates(List.of(row), columns, sinceGroup).size();
  }

  @Test
  void numberedColumnsOfAnotherSourceReadNoPage() {
    addPage(numbered(0), true, 1);
    addPage(numbered(10_000), true, 2);
    assertThat(candidates(numbered(20_000), -1)).isZero();
    assertThat(candidates(numbered(5_000), -1)).isZero();
  }

  @Test
  void aRetryReadsThePageThatMayHaveItsNames() {
    addPage(numbered(0), true, 1);
    addPage(numbered(10_000), true, 2);
    assertThat(candidates(numbered(COLUMNS - 1), -1)).isEqualTo(1);
    assertThat(candidates(numbered(COLUMNS - 1), 1)).isZero();
  }

  @Test
  void aPageOfUnknownNamesIsRead() {
    addPage(numbered(0), false, 1);
    assertThat(candidates(numbered(20_000), -1)).isEqualTo(1);
  }

  @Test
  void runsInMemoryAreCompared() {
    row.update(content -> content.withRun(new OpenRun(numbered(0), 1, 1)));
    assertThat(candidates(numbered(20_000), -1)).isEqualTo(1);
  }
}
