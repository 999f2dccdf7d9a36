package hourglass.store.rows;

import static org.assertj.core.api.Assertions.assertThat;

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
import hourglass.store.RowCounts;
import hourglass.testing.Seed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PartCounterTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final RowKey ROW = new RowKey(HOUR, "orders", 0);
  private static final int COLUMNS = 3_000;

  @Test
  void interleavedPushesAreCountedUnread() {
    List<StoredPart> parts = IntStream.range(0, 3).mapToObj(n -> new StoredPart(push(n))).toList();
    CountQuery byMinute = byMinute();
    ColumnCounter expected = new ColumnCounter(byMinute);
    IntStream.range(0, 3).forEach(n -> expected.add(push(n)));
    assertThat(count(parts, byMinute)).isEqualTo(expected.counts());
    assertThat(parts).allMatch(part -> part.loads == 0);
  }

  @Test
  void partsThatMayShareNamesAreRead() {
    StoredPart unnamed = new StoredPart(push(1), null);
    List<StoredPart> parts = List.of(new StoredPart(push(0)), unnamed);
    assertThat(count(parts, byMinute()).columns()).isEqualTo(2 * COLUMNS / 3);
    assertThat(parts).allMatch(part -> part.loads > 0);
  }

  @Test
  void eachNameIsCountedOnce() {
    Random random = Seed.random(this);
    for (int round = 0; round < 300; round++) {
      TreeSet<TimeUuid> names = new TreeSet<>();
      List<StoredPart> parts = new ArrayList<>();
      int numbers = 1 + random.nextInt(2_000);
      for (int n = random.nextInt(6); n >= 0; n--) {
        TreeSet<TimeUuid> some = new TreeSet<>();
        int number = random.nextInt(numbers);
        long second = random.nextInt(3_000);
        for (int i = random.nextInt(40); i >= 0; i--) {
          number += 1 + random.nextInt(random.nextInt(10) == 0 ? 300 : 3);
          // The same number is always in the same second, so that parts have common names.
          long ticks = HOUR.startTicks() + (second / 600 * 600 + number % 600) * Ticks.PER_SECOND;
          some.add(new TimeUuid(ticks, TimeUuidGenerator.lsb(number)));
        }
        names.addAll(some);
        parts.add(new StoredPart(columns(List.copyOf(some))));
      }
      ColumnRange range =
          ColumnRange.ofTicks(
              HOUR.startTicks() + random.nextInt(1_800) * Ticks.PER_SECOND,
              HOUR.endTicks() - random.nextInt(1_800) * Ticks.PER_SECOND);
      CountQuery query = new CountQuery(ROW, range, HOUR.startTicks(), Ticks.PER_SECOND * 7);
      ColumnCounter expected = new ColumnCounter(query);
      expected.add(columns(names.stream().filter(range::contains).toList()));
      assertThat(count(parts, query)).isEqualTo(expected.counts());
    }
  }

  @Test
  void aPartWithinOneStepIsCountedUnread() {
    Columns columns = push(0);
    CountQuery query =
        new CountQuery(ROW, ColumnRange.of(HOUR), HOUR.startTicks() - 7, Ticks.PER_HOUR);
    StoredPart part = new StoredPart(columns);
    assertThat(new PartCounter(query).count(List.of(part)))
        .isEqualTo(new RowCounts(columns.size(), columns.payloadBytes(), Map.of(0, 1_000L)));
    assertThat(part.loads).isZero();
  }

  @Test
  void columnsAtTheStartsOfMinutesAreReadOnce() {
    Columns columns = push(0);
    StoredPart part = new StoredPart(columns);
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
    assertThat(part.loads).isEqualTo(1);
  }

  private static RowCounts count(List<? extends Part> parts, CountQuery query) {
    return new PartCounter(query).count(RowParts.of(parts).in(query.range()));
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
}
