package hourglass.query.values;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.query.values.ValueCounts.CountedValue;
import hourglass.testing.Seed;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class ValueCountsTest {
  private static final int EVENTS = 20_000;

  private final Random random = Seed.random(this);
  private final Map<String, Long> model = new HashMap<>();

  private ValueCounts count(int bytesMax, IntFunction<String> values) {
    ValueCounts counts = new ValueCounts(bytesMax);
    for (int i = 0; i < EVENTS; i++) {
      String value = values.apply(i);
      byte[] bytes = ("..." + value + "..").getBytes(StandardCharsets.UTF_8);
      int events = 1 + i / (EVENTS / 2);
      counts.add(bytes, 3, bytes.length - 2, events);
      model.merge(value, (long) events, Long::sum);
    }
    return counts;
  }

  private static String text(CountedValue value) {
    return new String(value.bytes(), StandardCharsets.UTF_8);
  }

  @Test
  void countsAreExactWhileAllValuesFit() {
    ValueCounts counts = count(1 << 20, i -> "v" + random.nextInt(1 + random.nextInt(3000)));
    assertThat(counts.isExact()).isTrue();
    assertThat(counts.size()).isEqualTo(model.size());
    List<CountedValue> top = counts.top(Integer.MAX_VALUE);
    assertThat(top).allMatch(value -> value.missed == 0 && value.count == model.get(text(value)));
    assertThat(top).extracting(value -> -value.count).isSorted();
    assertThat(counts.countMaxBeside(top)).isZero();
    assertThat(counts.countMaxBeside(top.subList(0, 10))).isEqualTo(top.get(10).count);
  }

  @Test
  void equalCountsAreOrderedByBytes() {
    ValueCounts counts = count(1 << 20, i -> List.of("b", "a", "é", "aa").get(i % 4));
    assertThat(counts.top(9))
        .extracting(ValueCountsTest::text)
        .containsExactly("a", "aa", "b", "é");
  }

  /**
   * The values are few frequent ones among many rare ones, changing frequent ones, or only rare
   * ones.
   */
  @Test
  void boundsHoldIfValuesDoNotFit() {
    List<IntFunction<String>> kinds =
        List.of(
            i -> "v" + (int) Math.exp(random.nextDouble() * 12),
            i -> "v" + (i / 2000) + "-" + (int) Math.exp(random.nextDouble() * 8),
            i -> "v" + i,
            i -> random.nextInt(3) == 0 ? "often" : "v" + i,
            i -> "x".repeat(random.nextInt(1 + random.nextInt(2000))),
            i -> "v" + i % 1_000);
    for (IntFunction<String> kind : kinds) {
      model.clear();
      ValueCounts counts = count(5_000 + random.nextInt(30_000), kind);
      assertThat(counts.isExact()).isFalse();
      assertBounds(counts);
    }
  }

  private void assertBounds(ValueCounts counts) {
    List<CountedValue> all = counts.top(Integer.MAX_VALUE);
    for (CountedValue value : all) {
      assertThat(model.get(text(value))).as(text(value)).isBetween(value.count, value.countMax());
    }
    for (int n : new int[] {0, 1, 10, all.size()}) {
      List<CountedValue> top = all.subList(0, Math.min(n, all.size()));
      Map<String, Long> others = new HashMap<>(model);
      top.forEach(value -> others.remove(text(value)));
      long most = others.isEmpty() ? 0 : Collections.max(others.values());
      assertThat(counts.countMaxBeside(top)).isGreaterThanOrEqualTo(most);
    }
  }

  /** The parts have the same values, values of their own, or both. */
  @Test
  void boundsOfASumHold() {
    List<IntFunction<String>> kinds =
        List.of(
            i -> "v" + (int) Math.exp(random.nextDouble() * 12),
            i -> "part" + i / 50_000 + "-" + (int) Math.exp(random.nextDouble() * 8),
            i -> random.nextInt(3) == 0 ? "often" + random.nextInt(5) : "v" + i);
    for (IntFunction<String> kind : kinds) {
      model.clear();
      ValueCounts sum = new ValueCounts(6_000);
      for (int part = 0; part < 6; part++) {
        int from = part * 50_000;
        sum.addAll(count(part % 2 == 0 ? 6_000 : 200_000, i -> kind.apply(from + i)));
        assertThat(sum.bytes()).isLessThanOrEqualTo(6_000);
        assertBounds(sum);
      }
    }
  }

  @Test
  void sumsOfExactCountsAreExact() {
    ValueCounts sum = new ValueCounts(1 << 20);
    for (int part = 0; part < 3; part++) {
      sum.addAll(count(1 << 20, i -> "v" + random.nextInt(1000)));
    }
    assertThat(sum.isExact()).isTrue();
    assertThat(sum.top(Integer.MAX_VALUE))
        .allMatch(value -> value.missed == 0 && value.count == model.get(text(value)));
  }

  @Test
  void sureValuesAreCorrect() {
    int sure = 0;
    for (int run = 0; run < 60; run++) {
      model.clear();
      int frequent = 1 + random.nextInt(8);
      int others = 1 + random.nextInt(2000);
      ValueCounts sum = new ValueCounts(6_000);
      for (int part = 0; part < 1 + run % 3; part++) {
        sum.addAll(
            count(
                6_000,
                i ->
                    random.nextInt(9) > 0
                        ? "f" + (int) Math.sqrt(random.nextInt(frequent * frequent))
                        : "v" + random.nextInt(others)));
      }
      List<CountedValue> top = sum.top(5);
      if (sum.isSure(top, 5, 0)) {
        sure++;
        assertThat(top).extracting(value -> text(value) + value.count).isEqualTo(trueTop(5));
        assertThat(sum.isSure(top, 5, top.get(4).count)).as("one may be as frequent").isFalse();
      }
    }
    assertThat(sure).isBetween(10, 59);
  }

  private List<String> trueTop(int n) {
    return model.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(n)
        .map(value -> value.getKey() + value.getValue())
        .toList();
  }

  @Test
  void fewValuesAreSureIfThereAreNoOthers() {
    ValueCounts counts = count(1 << 20, i -> "v" + i % 3);
    assertThat(counts.isSure(counts.top(5), 5, 0)).isTrue();
    assertThat(counts.isSure(counts.top(5), 5, 1)).isFalse();
    assertThat(counts.isSure(counts.top(3), 3, 1)).isTrue();
  }

  @Test
  void aFrequentValueIsFoundAmongUniqueOnes() {
    ValueCounts counts =
        count(20_000, i -> random.nextInt(20) == 0 ? "often" : "v" + random.nextInt());
    CountedValue first = counts.top(1).get(0);
    assertThat(text(first)).isEqualTo("often");
    assertThat(counts.countMaxBeside(List.of(first))).isLessThan(first.count);
  }
}
