package hourglass.store.embedded;

import hourglass.store.CorruptException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The version of a data directory's layout. */
final class StoreVersion {
  private static final String TEXT = "hourglass embedded store 1\n";

  private StoreVersion() {}

  /**
   * Checks a directory, and leaves it as it is.
   *
   * @throws CorruptException if another program, or another version of this one, wrote it
   */
  static void check(StoreFiles files) throws IOException {
    Path version = files.version();
    if (FileKind.FILE.isAt(version)) {
      String found = FirstLine.of(version);
      if (!found.equals(TEXT)) {
        throw new CorruptException(
            version
                + ": \""
                + found.strip()
                + "\", this program reads \""
                + TEXT.strip()
                + "\"; use the program that wrote it");
      }
      requireFolder(files.log());
      requireFolder(files.hours());
    } else if (FileKind.FOLDER.isAt(files.dir())) {
      refuseStrangers(files);
      // It is made before anything else is.
      refuseContent(files, files.log());
      refuseContent(files, files.arrivals());
      refuseContent(files, files.hours());
    }
  }

  /** Makes a data directory of one that was found to be no other. */
  static void make(Disk disk, StoreFiles files) throws IOException {
    Path version = files.version();
    if (FileKind.FILE.isAt(version)) {
      return;
    }
    disk.createDirectories(files.log());
    disk.createDirectories(files.hours());
    disk.delete(files.newVersion());
    try (Disk.AppendFile file = disk.create(files.newVersion())) {
      file.write(ByteBuffer.wrap(TEXT.getBytes(StandardCharsets.US_ASCII)));
      file.force();
    }
    disk.move(files.newVersion(), version); // in one piece, whenever the power fails
    disk.forceDirectory(files.dir());
  }

  private static void requireFolder(Path folder) {
    if (!FileKind.FOLDER.isAt(folder)) {
      throw new CorruptException(
          folder + ": missing; restore it, or make an empty one to give up what it held");
    }
  }

  private static void refuseContent(StoreFiles files, Path folder) throws IOException {
    if (!FileKind.FOLDER.isAt(folder)) {
      return;
    }
    try (Stream<Path> found = Files.list(folder)) {
      if (found.findAny().isPresent()) {
        throw new CorruptException(
            files.version()
                + ": missing, though "
                + folder
                + " is not empty; restore it, or choose another directory");
      }
    }
  }

  private static void refuseStrangers(StoreFiles files) throws IOException {
    List<Path> ours =
        List.of(files.lock(), files.newVersion(), files.log(), files.arrivals(), files.hours());
    try (Stream<Path> found = Files.list(files.dir())) {
      Path stranger = found.filter(path -> !ours.contains(path)).findFirst().orElse(null);
      if (stranger != null) {
        throw new CorruptException(
            files.dir()
                + ": not a data directory, it holds "
                + stranger.getFileName()
                + "; choose an empty one");
      }
    }
  }
}
