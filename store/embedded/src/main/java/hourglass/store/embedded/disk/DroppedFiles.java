package hourglass.store.embedded.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Deletes an hour's folder: renamed first, so that a crash in between leaves no half of an hour.
 */
public final class DroppedFiles {
  private DroppedFiles() {}

  /** Deletes a folder, or what an attempt that failed has left of it. */
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

  /** Deletes a folder that was renamed. */
  public static void delete(Disk disk, Path dropped) throws IOException {
    // Its new name first: a power cut must not bring back the old one with a part of the files.
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
