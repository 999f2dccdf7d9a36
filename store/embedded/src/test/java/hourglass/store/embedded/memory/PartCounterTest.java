package hourglass.store.embedded.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.store.ColumnCounter;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.CountQuery;
import hourglass.store.NameRanges;
import hourglass.store.RowCounts;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.embedded.files.PageMeta;
import hourglass.store.rows.MinuteCounts;
import hourglass.store.rows.Part;
import hourglass.store.rows.PartCounter;
import hourglass.testing.Seed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PartCounterTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final RowKey ROW = new RowKey(HOUR, "orders", 0);
  private static final int COLUMNS = 3_000;

  @Test
  void pagesOfPushesInTurnAreCountedUnread() {
    List<PageRef> pages = List.of(unreadable(push(0), true), unreadable(push(1), true));
    OpenRun run = new OpenRun(push(2), 1, 1);
    RowContent content = new RowContent(List.of(run), new PageIndex(pages), null);
    CountQuery byMinute = byMinute();
    ColumnCounter expected = new ColumnCounter(byMinute);
    IntStream.range(0, 3).forEach(n -> expected.add(push(n)));
    assertThat(count(content, byMinute)).isEqualTo(expected.counts());
  }

  @Test
  void pagesThatMayShareNamesAreRead() {
    PageRef unnamed = unreadable(push(1), false);
    List<PageRef> pages = List.of(unreadable(push(0), true), unnamed);
    RowContent content = new RowContent(List.of(), new PageIndex(pages), null);
    assertThatThrownBy(() -> count(content, byMinute())).isInstanceOf(NullPointerException.class);
  }

  @Test
  void eachNameIsCountedOnce() {
    Random random = Seed.random(this);
    for (int round = 0; round < 300; round++) {
      TreeSet<TimeUuid> names = new TreeSet<>();
      List<OpenRun> runs = new ArrayList<>();
      int numbers = 1 + random.nextInt(2_000);
      for (int n = random.nextInt(6); n >= 0; n--) {
        TreeSet<TimeUuid> some = new TreeSet<>();
        int number = random.nextInt(numbers);
        long second = random.nextInt(3_000);
        for (int i = random.nextInt(40); i >= 0; i--) {
          number += 1 + random.nextInt(random.nextInt(10) == 0 ? 300 : 3);
          // The same number is always in the same second, so that runs have common names.
          long ticks = HOUR.startTicks() + (second / 600 * 600 + number % 600) * Ticks.PER_SECOND;
          some.add(new TimeUuid(ticks, TimeUuidGenerator.lsb(number)));
        }
        names.addAll(some);
        runs.add(new OpenRun(columns(List.copyOf(some)), 1, 1));
      }
      RowContent content = new RowContent(runs, PageIndex.EMPTY, null);
      ColumnRange range =
          ColumnRange.ofTicks(
              HOUR.startTicks() + random.nextInt(1_800) * Ticks.PER_SECOND,
              HOUR.endTicks() - random.nextInt(1_800) * Ticks.PER_SECOND);
      CountQuery query = new CountQuery(ROW, range, HOUR.startTicks(), Ticks.PER_SECOND * 7);
      ColumnCounter expected = new ColumnCounter(query);
      expected.add(columns(names.stream().filter(range::contains).toList()));
      assertThat(count(content, query)).isEqualTo(expected.counts());
    }
  }

  @Test
  void aPartWithinOneStepIsCountedUnread() {
    Columns columns = push(0);
    CountQuery query =
        new CountQuery(ROW, ColumnRange.of(HOUR), HOUR.startTicks() - 7, Ticks.PER_HOUR);
    Stored part = new Stored(columns);
    assertThat(new PartCounter(query).count(List.of(part)))
        .isEqualTo(new RowCounts(columns.size(), columns.payloadBytes(), Map.of(0, 1_000L)));
    assertThat(part.loads).hasValue(0);
  }

  @Test
  void columnsAtTheStartsOfMinutesAreReadOnce() {
    Columns columns = push(0);
    Stored part = new Stored(columns);
    for (int minutes = 1; minutes < 5; minutes++) {
      CountQuery query =
          new CountQuery(
              ROW,
              ColumnRange.of(HOUR),
              HOUR.startTicks() + 1 - Ticks.PER_HOUR,
              minutes * Ticks.PER_MINUTE);
      ColumnCounter expected = new ColumnCounter(query);
      expected.add(columns);
      assertThat(new PartCounter(query).count(List.of(part))).isEqualTo(expected.counts());
    }
    assertThat(part.loads).hasValue(1);
  }

  /** Counts how often it is read. */
  private static final class Stored implements Part {
    private final Columns columns;
    private final MinuteCounts minutes;
    private final AtomicInteger loads = new AtomicInteger();

    Stored(Columns columns) {
      this.columns = columns;
      minutes = byMinute(columns);
    }

    @Override
    public TimeUuid first() {
      return columns.first();
    }

    @Override
    public TimeUuid last() {
      return columns.last();
    }

    @Override
    public int count() {
      return columns.size();
    }

    @Override
    public long payloadBytes() {
      return columns.payloadBytes();
    }

    @Override
    public NameRanges names() {
      return NameRanges.of(columns);
    }

    @Override
    public MinuteCounts minutes() {
      return minutes;
    }

    @Override
    public Columns load(Projection projection) {
      loads.incrementAndGet();
      return columns;
    }
  }

  private static MinuteCounts byMinute(Columns columns) {
    int[] minutes = new int[60];
    for (int i = 0; i < columns.size(); i++) {
      minutes[(int) ((columns.ticks(i) - HOUR.startTicks()) / Ticks.PER_MINUTE)]++;
    }
    return MinuteCounts.ofAll(minutes);
  }

  private static RowCounts count(RowContent content, CountQuery query) {
    return new PartCounter(query).count(RowContentReader.partsIn(content, query.range()));
  }

  private static CountQuery byMinute() {
    return new CountQuery(ROW, ColumnRange.of(HOUR), HOUR.startTicks(), Ticks.PER_MINUTE);
  }

  /** Every third of the pushes of 100 events. */
  private static Columns push(int remainder) {
    return columns(
        IntStream.range(0, COLUMNS)
            .filter(n -> n / 100 % 3 == remainder)
            .mapToObj(
                n ->
                    new TimeUuid(
                        HOUR.startTicks() + n * Ticks.PER_SECOND, TimeUuidGenerator.lsb(8L * n)))
            .toList());
  }

  private static Columns columns(List<TimeUuid> names) {
    ColumnsBuilder columns = new ColumnsBuilder(names.size(), names.size());
    names.stream()
        .sorted(Comparator.naturalOrder())
        .forEach(name -> columns.add(name.ticks(), name.lsb(), new byte[] {'1'}, 0, 1));
    return columns.build();
  }

  /** It has no file, so that a read fails. */
  @SuppressWarnings("NullAway")
  private static PageRef unreadable(Columns columns, boolean named) {
    return new PageRef(
        null,
        new PageMeta(
            ROW,
            1,
            0,
            0,
            100,
            0,
            columns.size(),
            columns.payloadBytes(),
            columns.first(),
            columns.last(),
            1,
            byMinute(columns),
            named ? NameRanges.of(columns) : null));
  }
}
