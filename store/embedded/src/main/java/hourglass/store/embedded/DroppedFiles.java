package hourglass.store.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Deletes an hour's folder: renamed first, so that a crash in between leaves no half of an hour.
 */
final class DroppedFiles {
  private DroppedFiles() {}

  /** Takes a folder out of the store; it is gone after a power cut too. */
  static Path drop(Disk disk, Path hourDir) throws IOException {
    Path dropped = hourDir.resolveSibling(hourDir.getFileName() + StoreFiles.DROPPED);
    if (Files.exists(dropped)) {
      delete(disk, dropped);
    }
    disk.move(hourDir, dropped);
    disk.forceDirectory(hourDir.resolveSibling(""));
    return dropped;
  }

  static void delete(Disk disk, Path dir) throws IOException {
    List<Path> all;
    try (Stream<Path> paths = Files.walk(dir)) {
      all = paths.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : all) {
      disk.delete(path);
    }
    disk.forceDirectory(dir.resolveSibling(""));
  }
}
