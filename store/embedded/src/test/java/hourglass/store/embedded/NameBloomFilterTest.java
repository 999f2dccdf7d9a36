package hourglass.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.access.SharedRoom;
import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.embedded.late.NameBloomFilter;
import hourglass.store.embedded.memory.LoadedHour;
import hourglass.store.embedded.memory.OpenRun;
import hourglass.store.embedded.memory.Row;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A filter never denies a name that is there, and few that are not. */
class NameBloomFilterTest {
  private static final Hour HOUR = TestStore.HOUR;

  private final Random random = Chance.random("NameFilterTest");
  private final List<Row> rows =
      new ArrayList<>(
          List.of(
              new Row(
                  new RowKey(HOUR, "a", 0), new LoadedHour(HOUR, new SharedRoom(Long.MAX_VALUE))),
              new Row(
                  new RowKey(HOUR, "a", 1), new LoadedHour(HOUR, new SharedRoom(Long.MAX_VALUE)))));

  private Columns names(int count) {
    return RandomNames.columns(rows.get(0).key(), count, random).columns();
  }

  private Columns add(int row, int count, long group) {
    Columns columns = names(count);
    rows.get(row).update(content -> content.withRun(new OpenRun(columns, 1, group)));
    return columns;
  }

  @Test
  void addedNamesArePossible() {
    NameBloomFilter filter = new NameBloomFilter(1 << 20);
    List<Columns> all = new ArrayList<>();
    for (int group = 1; group < 60; group++) {
      all.add(add(random.nextInt(2), 1 + random.nextInt(3_000), group));
      Columns asked = all.get(random.nextInt(all.size()));
      BitSet possible = filter.possible(asked, rows, group);
      assertThat(possible.cardinality()).isEqualTo(asked.size());
      assertThat(filter.bytes()).isLessThanOrEqualTo(1 << 20);
    }
  }

  @Test
  void fewOtherNamesArePossible() {
    NameBloomFilter filter = new NameBloomFilter(32 << 20);
    for (int group = 1; group <= 20; group++) {
      add(group % 2, 10_000, group);
      filter.possible(names(1), rows, group);
    }
    assertThat(filter.possible(names(100_000), rows, 20).cardinality()).isLessThan(20);
  }

  @Test
  void moreNamesArePossibleWithLittleMemory() {
    NameBloomFilter filter = new NameBloomFilter(100_000); // 8 bits a name
    add(0, 100_000, 1);
    assertThat(filter.possible(names(100_000), rows, 1).cardinality()).isLessThan(6_000);
    assertThat(filter.bytes()).isLessThanOrEqualTo(100_000);
  }

  @Test
  void filterIsBuiltOnceItPays() {
    NameBloomFilter filter = new NameBloomFilter(1 << 20);
    add(0, 1_000, 1);
    assertThat(filter.pays(1_000, rows)).isFalse();
    assertThat(filter.pays(1_000, rows)).isFalse();
    assertThat(filter.pays(1, rows)).isTrue();
    assertThat(filter.bytes()).isZero();
    filter.possible(names(1), rows, 1);
    assertThat(filter.pays(0, rows)).isTrue();
  }
}
