package hourglass.query.values;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.query.values.ValueCounts.CountedValue;
import hourglass.seed.Seed;
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
  void isExactWhileAllFit() {
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
  void ofEqualCountsTheSmallerBytesComeFirst() {
    ValueCounts counts = count(1 << 20, i -> List.of("b", "a", "é", "aa").get(i % 4));
    assertThat(counts.top(9))
        .extracting(ValueCountsTest::text)
        .containsExactly("a", "aa", "b", "é");
  }

  /** Few frequent values among many rare ones; changing frequent values; or only rare ones. */
  @Test
  void beyondThatItsBoundsHold() {
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

  @Test
  void whatComesOftenIsFoundAmongWhatComesOnce() {
    ValueCounts counts =
        count(20_000, i -> random.nextInt(20) == 0 ? "often" : "v" + random.nextInt());
    CountedValue first = counts.top(1).get(0);
    assertThat(text(first)).isEqualTo("often");
    assertThat(counts.countMaxBeside(List.of(first))).isLessThan(first.count);
  }
}
