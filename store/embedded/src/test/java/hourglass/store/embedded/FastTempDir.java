package hourglass.store.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/** Temporary directories in memory where that is possible, for tests that need no real force. */
public final class FastTempDir implements TempDirFactory {
  private static final Path IN_MEMORY = Path.of("/dev/shm");

  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context)
      throws IOException {
    return Files.isDirectory(IN_MEMORY) && Files.isWritable(IN_MEMORY)
        ? Files.createTempDirectory(IN_MEMORY, "hourglass")
        : Files.createTempDirectory("hourglass");
  }
}
