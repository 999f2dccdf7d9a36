package hourglass.store.embedded.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The points of backups that were made before a moment, and so may have what was erased since.
 * Thread-safe; reads folders, which may be slow.
 */
public final class PointsBefore {
  private static final Logger logger = LoggerFactory.getLogger(PointsBefore.class);

  /** How deep below a folder for backups they are sought. */
  private static final int DEPTH_MAX = 3;

  private PointsBefore() {}

  /**
   * Returns the points, each for a person.
   *
   * @param folders those of backups, or around them
   * @param before null for all points
   */
  public static List<String> find(Iterable<Path> folders, @Nullable Instant before) {
    List<String> found = new ArrayList<>();
    for (Path folder : folders) {
      try {
        addBelow(folder, before, found);
      } catch (IOException | RuntimeException e) {
        logger.warn("{}: its backups cannot be listed: {}", folder, e.toString());
        found.add("backups in " + folder + ", which cannot be listed");
      }
    }
    return found.stream().distinct().toList();
  }

  private static void addBelow(Path folder, @Nullable Instant before, List<String> found)
      throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    List<Path> folders;
    try (Stream<Path> below = Files.walk(folder, DEPTH_MAX)) {
      folders =
          below.filter(path -> Files.exists(new BackupFiles(path).version())).sorted().toList();
    }
    for (Path each : folders) {
      for (String id : new BackupFiles(each).ids()) {
        if (before == null || !BackupFiles.time(id).isAfter(before)) {
          found.add("backup " + each + ", point " + id);
        }
      }
    }
  }
}
