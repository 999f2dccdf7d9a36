package hourglass.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import hourglass.bucketing.TimeUuid;
import hourglass.testing.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ColumnsBuilderTest {

  @Test
  void anEmptyBuilderBuildsNoColumns() {
    assertThat(new ColumnsBuilder(0, 0).build().isEmpty()).isTrue();
    assertThat(new ColumnsBuilder(100, 1000).build().isEmpty()).isTrue();
  }

  @Test
  void sortsAndKeepsTheLargerPayload() {
    Random random = Seed.random("ColumnsBuilderTest");
    for (int round = 0; round < 2_000; round++) {
      int names = 1 + random.nextInt(200);
      List<Map.Entry<TimeUuid, String>> columns =
          Model.randomColumns(random, random.nextInt(150), names);
      arrange(columns, random);
      Model model = new Model();
      ColumnsBuilder builder = new ColumnsBuilder(random.nextInt(50), random.nextInt(500));
      int bytes = 0;
      for (Map.Entry<TimeUuid, String> column : columns) {
        model.add(column.getKey(), column.getValue());
        Model.addTo(builder, column.getKey(), column.getValue());
        bytes += column.getValue().length();
      }
      assertEquals(columns.size(), builder.size());
      assertEquals(bytes, builder.payloadBytes());
      model.assertIs(builder.build());
    }
  }

  /** The payloads are pieces of one array, most of which begin where the previous one ended. */
  @Test
  void doesNotCopyPackedPayloads() {
    Random random = Seed.random("ColumnsBuilderTest.packed");
    byte[] source = new byte[2_000];
    random.nextBytes(source);
    ColumnsBuilder builder = new ColumnsBuilder(random.nextInt(50), random.nextInt(500));
    for (int round = 0; round < 2_000; round++) {
      Model model = new Model();
      boolean isPacked = true;
      boolean isAscending = true;
      int first = random.nextInt(50);
      int to = first;
      int gapEvery = random.nextBoolean() ? 20 : Integer.MAX_VALUE;
      int count = random.nextInt(100);
      for (int i = 0; i < count; i++) {
        int from = to;
        if (i > 0 && gapEvery < Integer.MAX_VALUE && random.nextInt(gapEvery) == 0) {
          from++;
          isPacked = false;
        }
        to = from + random.nextInt(15);
        TimeUuid name = Model.name(random.nextInt(100) == 0 ? random.nextInt(100) : i);
        isAscending &= model.columns.isEmpty() || model.columns.lastKey().compareTo(name) < 0;
        model.add(name, Model.text(Arrays.copyOfRange(source, from, to)));
        if (random.nextInt(200) == 0) {
          builder.add(name.ticks(), name.lsb(), source, from, to);
          isPacked = false;
        } else {
          builder.addPacked(name.ticks(), name.lsb(), source, from, to);
        }
        assertThat(builder.payloadBytes()).isLessThanOrEqualTo(to - first);
      }
      Columns built = builder.build();
      model.assertIs(built);
      assertEquals(count > 0 && isPacked && isAscending, built.bytes() == source);
      builder.clear();
    }
  }

  private static void arrange(List<Map.Entry<TimeUuid, String>> columns, Random random) {
    Comparator<Map.Entry<TimeUuid, String>> byName = Map.Entry.comparingByKey();
    switch (random.nextInt(4)) {
      case 0 -> Collections.shuffle(columns, random);
      case 1 -> columns.sort(byName);
      case 2 -> columns.sort(byName.reversed());
      default -> {
        int run = 1 + random.nextInt(30);
        for (int i = 0; i < columns.size(); i += run) {
          columns.subList(i, Math.min(columns.size(), i + run)).sort(byName);
        }
      }
    }
  }

  @Test
  void keepsTheLargerPayloadInAnyOrder() {
    List<List<String>> smallerAndLarger =
        List.of(
            List.of("", "a"),
            List.of("a", "b"),
            List.of("aa", "b"),
            List.of("a", "a\0"),
            List.of("\u007f", "\u0080"),
            List.of("\0", "\u00ff"));
    for (List<String> pair : smallerAndLarger) {
      for (int first = 0; first < 2; first++) {
        Columns built =
            Model.build(
                List.of(
                    Map.entry(Model.name(1), pair.get(first)),
                    Map.entry(Model.name(1), pair.get(1 - first))));
        assertThat(built.size()).isEqualTo(1);
        assertThat(Model.text(built.payload(0))).isEqualTo(pair.get(1));
      }
    }
  }

  @Test
  void findsOneNameAmongManyRepeats() {
    List<Map.Entry<TimeUuid, String>> columns = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      columns.add(Map.entry(Model.name(7), "payload " + (char) (i * 17 % 256)));
    }
    Columns built = Model.build(columns);
    assertThat(Model.names(built)).containsExactly(Model.name(7));
    assertThat(Model.text(built.payload(0))).isEqualTo("payload \u00ff");
  }

  @Test
  void copiesTheArraysAdded() {
    byte[] reused = {1, 2, 3};
    ColumnsBuilder builder = new ColumnsBuilder(1, 1);
    builder.add(1, 1, reused, 0, 3);
    reused[0] = 9;
    builder.add(2, 2, reused, 0, 1);
    Columns built = builder.build();
    assertThat(built.payload(0)).containsExactly(1, 2, 3);
    assertThat(built.payload(1)).containsExactly(9);
  }

  @Test
  void sortIsStable() {
    Random random = Seed.random("NameSort");
    for (int round = 0; round < 2_000; round++) {
      int size = random.nextInt(100);
      List<TimeUuid> names = new ArrayList<>();
      List<Integer> expected = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        names.add(Model.randomName(random, 1 + random.nextInt(60)));
        expected.add(i);
      }
      expected.sort(Comparator.comparing(names::get));
      long[] ticks = names.stream().mapToLong(TimeUuid::ticks).toArray();
      long[] lsbs = names.stream().mapToLong(TimeUuid::lsb).toArray();
      int[] order = new NameSort(ticks, lsbs, size).order();
      assertEquals(expected, Arrays.stream(order).boxed().toList());
    }
  }
}
