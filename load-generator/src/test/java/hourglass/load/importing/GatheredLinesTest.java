package hourglass.load.importing;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.seed.Seed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

final class GatheredLinesTest {
  /** The batches of some lines. */
  private static List<List<String>> batches(int count, IntFunction<String> line) {
    GatheredLines lines = new GatheredLines();
    List<List<String>> batches = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] bytes = line.apply(i).getBytes(StandardCharsets.UTF_8);
      lines.add(bytes, 0, bytes.length, bytes[0] == '{', i + 1);
      take(lines, lines.cut(), batches);
    }
    take(lines, lines.count(), batches);
    return batches;
  }

  private static void take(GatheredLines lines, int first, List<List<String>> batches) {
    if (first > 0) {
      long number = batches.stream().mapToInt(List::size).sum();
      GatheredLines.Taken taken = lines.take(first);
      assertThat(taken.numbers()).hasSize(first).startsWith(number + 1).endsWith(number + first);
      batches.add(taken.text().toString().lines().toList());
    }
  }

  @Test
  void aFileThatHasGrownIsCutAtTheSamePlaces() {
    Random random = Seed.random(this);
    for (int run = 0; run < Seed.length(20, 200); run++) {
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < 20_000; i++) {
        lines.add(random.nextInt(3) == 0 ? "2026 failed" : "\tat a.B");
      }
      List<List<String>> all = batches(lines.size(), lines::get);
      assertThat(all.stream().flatMap(List::stream)).isEqualTo(lines);
      int most = random.nextInt(lines.size());
      List<List<String>> some = batches(most, lines::get);
      assertThat(some.stream().flatMap(List::stream)).isEqualTo(lines.subList(0, most));
      for (int i = 0; i < some.size(); i++) {
        boolean isLast = i == some.size() - 1;
        assertThat(all.get(i)).startsWith(some.get(i).toArray(new String[0]));
        assertThat(isLast || all.get(i).size() == some.get(i).size()).isTrue();
      }
    }
  }

  @Test
  void batchesBeginWithLinesThatBeginAnEvent() {
    List<List<String>> batches =
        batches(12_000, i -> i % 3 == 0 ? "2026 failed " + i : i % 3 == 1 ? "x.Y: z" : "\tat a.B");
    assertThat(batches)
        .hasSize(3)
        .allMatch(batch -> batch.get(0).startsWith("2026"))
        .allMatch(batch -> batch.size() < GatheredLines.FULL + 3);
  }

  @Test
  void linesThatContinueAnEventForEverAreCutAtTheBound() {
    assertThat(batches(50_000, i -> i == 0 ? "2026" : "\tat a.B")).hasSize(3);
  }

  @Test
  void longLinesAreCutByTheirBytes() {
    String text = "x".repeat(1 << 20);
    assertThat(batches(12, i -> "{" + i + text)).hasSizeBetween(3, 4);
  }
}
