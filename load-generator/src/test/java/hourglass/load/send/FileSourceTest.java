package hourglass.load.send;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileSourceTest {
  @TempDir private Path directory;

  /** The model splits a text: lines of any length, blank ones, buffers that end anywhere. */
  @Test
  void readsTheLinesOfAnyFile() throws IOException {
    for (long seed = 1; seed <= 20; seed++) {
      Random random = new Random(seed);
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < random.nextInt(400); i++) {
        int length = random.nextInt(10) == 0 ? random.nextInt(300_000) : random.nextInt(40);
        text.append("x".repeat(length)).append(random.nextBoolean() ? "\n" : "\r\n");
      }
      text.append(random.nextBoolean() ? "last" : "");
      List<String> want = text.toString().lines().filter(line -> !line.isBlank()).toList();
      int batch = 1 + random.nextInt(50);
      assertThat(read(text.toString(), batch)).as("seed %d", seed).isEqualTo(want);
    }
  }

  private List<String> read(String text, int batchEvents) throws IOException {
    Path file = Files.writeString(directory.resolve("lines"), text);
    List<String> lines = new ArrayList<>();
    new FileSource(file, batchEvents, Long.MAX_VALUE)
        .forEach(
            batch -> {
              List<String> of = batch.lines().toString(StandardCharsets.UTF_8).lines().toList();
              assertThat(of).hasSize(batch.events()).hasSizeLessThanOrEqualTo(batchEvents);
              assertThat(batch.lines().getByte(batch.lines().length() - 1)).isEqualTo((byte) '\n');
              lines.addAll(of);
              return true;
            });
    return lines;
  }
}
