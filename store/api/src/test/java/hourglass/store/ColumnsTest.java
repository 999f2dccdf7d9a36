package hourglass.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assertions.assertEquals;

import hourglass.bucketing.TimeUuid;
import hourglass.testing.Seed;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;

class ColumnsTest {

  @Test
  void viewsContainTheColumnsOfTheirRange() {
    Random random = Seed.random("ColumnsTest.views");
    for (int round = 0; round < 3_000; round++) {
      int names = 1 + random.nextInt(120);
      Columns pack = Model.build(Model.randomColumns(random, random.nextInt(100), names));
      Columns view = pack;
      Model model = Model.of(pack);
      for (int depth = 0; depth < 3; depth++) {
        ColumnRange range = randomRange(random, names);
        view = view.within(range);
        model.columns.keySet().removeIf(name -> !range.contains(name));
        model.assertIs(view);
        assertThat(view.bytes()).isSameAs(pack.bytes());
      }
    }
  }

  private static ColumnRange randomRange(Random random, int names) {
    TimeUuid from = Model.name(random.nextInt(names + 2));
    TimeUuid to = Model.name(random.nextInt(names + 20));
    return new ColumnRange(from, random.nextBoolean() ? to : to.successor());
  }

  @Test
  void positionsAreFoundAsInASortedMap() {
    Random random = Seed.random("ColumnsTest.lowerBound");
    for (int round = 0; round < 1_000; round++) {
      Columns pack = Model.build(Model.randomColumns(random, random.nextInt(60), 80));
      Columns view = pack.subColumns(pack.size() / 3, pack.size());
      Model model = Model.of(view);
      for (int number = 0; number < 82; number++) {
        TimeUuid name = Model.name(number);
        int expected = model.columns.headMap(name).size();
        assertEquals(expected, view.lowerBound(name));
        int from = random.nextInt(view.size() + 1);
        assertEquals(
            Math.max(from, expected), view.lowerBound(name.ticks(), name.lsb(), from), "from");
      }
    }
  }

  @Test
  void beforeReturnsTheColumnsEarlierThanATick() {
    Random random = Seed.random("ColumnsTest.before");
    for (int round = 0; round < 1_000; round++) {
      Columns pack = Model.build(Model.randomColumns(random, random.nextInt(60), 80));
      Columns view = pack.subColumns(pack.size() / 3, pack.size());
      long start = Model.HOUR.startTicks();
      for (long ticks = start - 1; ticks < start + 20; ticks++) {
        Model head = Model.of(view);
        head.columns.tailMap(TimeUuid.first(ticks)).clear();
        head.assertIs(view.before(ticks));
        assertEquals(head.columns.size(), view.countBefore(ticks));
      }
      assertEquals(0, view.countBefore(Long.MIN_VALUE));
    }
  }

  @Test
  void subColumnsSelectsByPosition() {
    Columns pack = Model.build(Model.randomColumns(new Random(1), 200, 400));
    List<TimeUuid> names = Model.names(pack);
    for (int from = 0; from <= pack.size(); from += 7) {
      for (int to = from; to <= pack.size(); to += 5) {
        Columns part = pack.subColumns(from, to);
        assertEquals(names.subList(from, to), Model.names(part));
        SortedMap<TimeUuid, String> expected = Model.of(pack).columns;
        expected.keySet().retainAll(names.subList(from, to));
        assertEquals(expected, Model.of(part).columns);
      }
    }
  }

  @Test
  void subColumnsRefusePositionsOutside() {
    Columns view = Model.build(Model.randomColumns(new Random(1), 50, 400)).subColumns(10, 20);
    int[][] outside = {{-1, 5}, {0, 11}, {6, 5}, {11, 11}};
    for (int[] part : outside) {
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> view.subColumns(part[0], part[1]));
    }
  }

  @Test
  void namesOnlyKeepsLengthsButNoBytes() {
    Columns pack = Model.build(Model.randomColumns(new Random(1), 50, 400)).subColumns(10, 20);
    Columns names = pack.namesOnly();
    assertThat(names.bytes()).isEmpty();
    assertThat(Model.names(names)).isEqualTo(Model.names(pack));
    assertThat(names.payloadBytes()).isEqualTo(pack.payloadBytes());
    for (int i = 0; i < pack.size(); i++) {
      assertThat(names.length(i)).isEqualTo(pack.length(i));
    }
  }

  @Test
  void packedArraysAreNotCopied() {
    byte[] bytes = {1, 2, 3, 4, 5};
    Columns pack =
        Columns.ofPacked(
            new long[] {1, 1, 2}, new long[] {-2, -1, -3}, new int[] {1, 3, 3, 5}, bytes, 3);
    assertThat(pack.payload(0)).containsExactly(2, 3);
    assertThat(pack.payload(1)).isEmpty();
    assertThat(pack.payload(2)).containsExactly(4, 5);
    assertThat(pack.payloadBytes()).isEqualTo(4);
    assertThat(pack.bytes()).isSameAs(bytes);
  }

  @Test
  void packedArraysMustAscend() {
    long[][] unordered = {{1, 5, 1, 5}, {2, 5, 1, 5}, {1, 5, 1, 4}, {1, 0, 1, -1}};
    for (long[] names : unordered) {
      assertThatIllegalArgumentException()
          .isThrownBy(
              () ->
                  Columns.ofPacked(
                      new long[] {names[0], names[2]},
                      new long[] {names[1], names[3]},
                      new int[3],
                      new byte[0],
                      2))
          .withMessageContaining("name 1");
    }
  }

  @Test
  void packedPayloadsMustBeWithinTheirBytes() {
    int[][] wrong = {{0, 2, 1}, {-1, 0, 1}, {0, 1, 6}, {5, 5, 4}};
    for (int[] offsets : wrong) {
      assertThatIllegalArgumentException()
          .as("%s", (Object) offsets)
          .isThrownBy(
              () ->
                  Columns.ofPacked(new long[] {1, 2}, new long[] {1, 1}, offsets, new byte[5], 2));
    }
  }

  @Test
  void memoryIncludesMoreThanThePayloads() {
    Columns pack = Model.build(Model.randomColumns(new Random(1), 50, 400));
    assertThat(pack.memoryBytes()).isGreaterThan(pack.payloadBytes() + 20L * pack.size());
  }
}
