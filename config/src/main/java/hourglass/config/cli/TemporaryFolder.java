package hourglass.config.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A folder that is deleted when this is closed. */
public record TemporaryFolder(Path path) implements AutoCloseable {
  public static TemporaryFolder create(String purpose) throws IOException {
    return new TemporaryFolder(Files.createTempDirectory("hourglass-" + purpose + "-"));
  }

  @Override
  public void close() throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> all = Files.walk(path)) {
      for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(one);
      }
    }
  }
}
