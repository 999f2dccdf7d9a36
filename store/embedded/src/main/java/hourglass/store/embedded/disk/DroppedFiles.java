package hourglass.store.embedded.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Deletes the folder of an hour. The folder is renamed first, so that a crash leaves no partial
 * hour.
 */
public final class DroppedFiles {
  private DroppedFiles() {}

  /** Deletes a folder, or the rest of one after a failed attempt. */
  public static void drop(Disk disk, Path hourDir) throws IOException {
    Path dropped = hourDir.resolveSibling(hourDir.getFileName() + StoreFiles.DROPPED);
    if (Files.exists(dropped)) {
      delete(disk, dropped);
    }
    if (Files.exists(hourDir)) {
      disk.move(hourDir, dropped);
      delete(disk, dropped);
    }
  }

  /** Deletes a renamed folder. */
  public static void delete(Disk disk, Path dropped) throws IOException {
    // Force the rename first: a power cut must not restore the old name with only some files.
    disk.forceDirectory(dropped.resolveSibling(""));
    List<Path> all;
    try (Stream<Path> paths = Files.walk(dropped)) {
      all = paths.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : all) {
      disk.delete(path);
    }
    disk.forceDirectory(dropped.resolveSibling(""));
  }
}
