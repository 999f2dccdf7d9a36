package hourglass.load.importing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
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
  void batchesBeginWithTheFirstLineOfAnEvent() {
    List<List<String>> batches =
        batches(12_000, i -> i % 3 == 0 ? "2026 failed " + i : i % 3 == 1 ? "x.Y: z" : "\tat a.B");
    assertThat(batches)
        .hasSize(3)
        .allMatch(batch -> batch.get(0).startsWith("2026"))
        .allMatch(batch -> batch.size() < GatheredLines.FULL + 3);
  }

  @Test
  void endlessContinuationLinesAreDividedAtTheBound() {
    assertThat(batches(50_000, i -> i == 0 ? "2026" : "\tat a.B")).hasSize(3);
  }

  @Test
  void batchesOfLongLinesAreLimitedByBytes() {
    String text = "x".repeat(1 << 20);
    assertThat(batches(12, i -> "{" + i + text)).hasSizeBetween(3, 4);
  }
}
