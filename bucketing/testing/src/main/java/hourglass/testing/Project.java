package hourglass.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Finds the sources for tests. */
public final class Project {
  /** The folder of the root pom, from wherever a test runs. */
  public static final Path ROOT = root(Path.of("").toAbsolutePath());

  private Project() {}

  private static Path root(Path folder) {
    return Files.isDirectory(folder.resolve("bucketing"))
        ? folder
        : root(Objects.requireNonNull(folder.getParent()));
  }
}
