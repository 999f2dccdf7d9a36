package hourglass.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import hourglass.bucketing.TimeUuid;
import hourglass.testing.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ColumnsMergeTest {
  private static final int ROUNDS = 1_500;

  @Test
  void anEmptyMergeHasNoColumns() {
    assertThat(Columns.merge(List.of()).isEmpty()).isTrue();
    assertThat(Columns.merge(List.of(Columns.EMPTY, Columns.EMPTY)).isEmpty()).isTrue();
  }

  @Test
  void mergingOnePackReturnsIt() {
    Columns pack = Model.build(Model.randomColumns(new Random(1), 50, 100));
    assertThat(Columns.merge(List.of(pack))).isSameAs(pack);
    Model.of(pack).assertIs(Columns.merge(List.of(Columns.EMPTY, pack)));
    Model.of(pack).assertIs(Columns.merge(List.of(pack, pack, pack)));
  }

  @Test
  void mergedPacksAgreeWithAMap() {
    Random random = Seed.random("ColumnsMergeTest");
    for (int round = 0; round < ROUNDS; round++) {
      List<Columns> packs = randomPacks(random);
      Model expected = new Model();
      packs.forEach(pack -> expected.addAll(Model.of(pack)));
      expected.assertIs(Columns.merge(packs));
    }
  }

  @Test
  void packsCanBeMergedInParts() {
    Random random = Seed.random("ColumnsMergeTest.parts");
    for (int round = 0; round < ROUNDS; round++) {
      List<Columns> packs = randomPacks(random);
      int columnsMax = 1 + random.nextInt(random.nextBoolean() ? 3 : 100);
      int bytesMax = random.nextInt(random.nextBoolean() ? 50 : 3_000);
      ColumnsMerge merge = new ColumnsMerge(packs);
      List<Columns> parts = new ArrayList<>();
      ColumnsBuilder reused =
          random.nextBoolean() ? null : new ColumnsBuilder(random.nextInt(9), 1);
      while (merge.hasNext()) {
        Columns part =
            reused == null
                ? merge.next(columnsMax, bytesMax)
                : merge.next(columnsMax, bytesMax, reused).copy();
        assertThat(part.size()).isBetween(1, columnsMax);
        assertThat(part.size() == 1 || part.payloadBytes() <= bytesMax).isTrue();
        Columns before = parts.isEmpty() ? part : parts.get(parts.size() - 1);
        assertThat(before == part || before.last().compareTo(part.first()) < 0).isTrue();
        parts.add(part);
      }
      Model expected = new Model();
      packs.forEach(pack -> expected.addAll(Model.of(pack)));
      expected.assertIs(Columns.merge(parts));
    }
  }

  @Test
  void mergedNamesKeepTheLargestLength() {
    Random random = Seed.random("ColumnsMergeTest.names");
    for (int round = 0; round < ROUNDS; round++) {
      List<Columns> packs = randomPacks(random).stream().map(Columns::namesOnly).toList();
      Map<TimeUuid, Integer> expected = new TreeMap<>();
      for (Columns pack : packs) {
        for (int i = 0; i < pack.size(); i++) {
          expected.merge(pack.id(i), pack.length(i), Math::max);
        }
      }
      Columns merged = Columns.merge(packs);
      Map<TimeUuid, Integer> lengths = new TreeMap<>();
      for (int i = 0; i < merged.size(); i++) {
        lengths.put(merged.id(i), merged.length(i));
      }
      assertEquals(List.copyOf(expected.keySet()), Model.names(merged));
      assertEquals(expected, lengths);
      assertEquals(0, merged.bytes().length);
    }
  }

  private static List<Columns> randomPacks(Random random) {
    int count = 1 + random.nextInt(random.nextInt(10) == 0 ? 50 : 6);
    int names = 1 + random.nextInt(300);
    List<Columns> packs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      packs.add(
          switch (random.nextInt(6)) {
            case 0 -> Columns.EMPTY;
            case 1 -> stretch(i * 20, 1 + random.nextInt(30));
            case 2 -> stretch(random.nextInt(names), 1 + random.nextInt(5));
            case 3 -> view(tangled(random, names), random);
            case 4 -> withoutPayloads(tangled(random, names));
            default -> tangled(random, names);
          });
    }
    return packs;
  }

  private static Columns tangled(Random random, int names) {
    return Model.build(Model.randomColumns(random, random.nextInt(60), names));
  }

  private static Columns stretch(int from, int size) {
    List<Map.Entry<TimeUuid, String>> columns = new ArrayList<>();
    for (int i = from; i < from + size; i++) {
      columns.add(Map.entry(Model.name(i), "stretch from " + from));
    }
    return Model.build(columns);
  }

  private static Columns view(Columns pack, Random random) {
    int from = random.nextInt(pack.size() + 1);
    return pack.subColumns(from, from + random.nextInt(pack.size() - from + 1));
  }

  private static Columns withoutPayloads(Columns pack) {
    Model model = Model.of(pack);
    model.columns.replaceAll((name, payload) -> "");
    return model.build();
  }
}
