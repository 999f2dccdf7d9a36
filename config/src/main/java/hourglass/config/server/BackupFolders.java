package hourglass.config.server;

import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.RealPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The folders of the server's machine below which backups may be made. A key that may back up must
 * not be able to write anywhere else.
 */
record BackupFolders(List<Path> allowed) {

  /**
   * Returns the folder for a backup. Accesses the disk.
   *
   * @throws IllegalArgumentException if it is not below an allowed folder, links included, or that
   *     is not there, as if its disk is not mounted; the message says what would be
   */
  Path require(String text) {
    if (allowed.isEmpty()) {
      throw new IllegalArgumentException(
          "to: no folder is allowed; want a setting such as backup.dirs = [\"/mnt/backup\"]");
    }
    try {
      Path to = Path.of(text);
      Path normal = to.normalize();
      for (Path dir : allowed) {
        if (to.isAbsolute() && holds(dir.normalize(), normal)) {
          requireThere(dir);
          return normal;
        }
      }
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("to: no path; want one below " + names(), e);
    } catch (IOException e) {
      throw new UnavailableException(text + ": cannot be read: " + e, e);
    }
    throw new IllegalArgumentException(
        "to: %s is not below a folder of backup.dirs; want one below %s".formatted(text, names()));
  }

  /** Whether a path is below a folder, both as it is written and where its links lead. */
  private static boolean holds(Path dir, Path to) throws IOException {
    return to.startsWith(dir) && RealPath.of(to).startsWith(RealPath.of(dir));
  }

  /** A folder that was made in place of a mount would be on the wrong disk. */
  private static void requireThere(Path dir) {
    if (!Files.isDirectory(dir)) {
      throw new IllegalArgumentException(
          "to: %s of backup.dirs is not there; mount its disk, or make the folder".formatted(dir));
    }
  }

  private String names() {
    return allowed.stream().map(Path::toString).collect(Collectors.joining(" or "));
  }
}
