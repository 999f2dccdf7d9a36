package hourglass.store.embedded.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds where a path leads, with all symbolic links followed. */
public final class RealPath {
  private RealPath() {}

  /** Returns the real path of a file or folder, or the one that it would have if it was made. */
  public static Path of(Path path) throws IOException {
    Path absolute = path.toAbsolutePath().normalize();
    Path there = absolute;
    for (Path parent = there.getParent(); !Files.exists(there) && parent != null; ) {
      there = parent;
      parent = there.getParent();
    }
    return there.toRealPath().resolve(there.relativize(absolute)).normalize();
  }
}
