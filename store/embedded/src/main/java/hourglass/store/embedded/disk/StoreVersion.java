package hourglass.store.embedded.disk;

import hourglass.store.CorruptException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The version of a data directory's layout. A new directory gets CATALOGUE.new, then its VERSION,
 * and then its catalogue is moved into place. So a catalogue proves a version.
 */
public enum StoreVersion {
  NONE,
  CURRENT;

  private static final String TEXT = "hourglass embedded store 4\n";

  /** Returns the version of a directory. Throws CorruptException if another program uses it. */
  public static StoreVersion of(StoreFiles files) throws IOException {
    Path version = files.version();
    if (FileKind.FILE.isAt(version)) {
      StoreVersion found = of(files, StoreFiles.firstLine(version));
      requireFolder(files.log());
      return found;
    }
    if (FileKind.FOLDER.isAt(files.dir())) {
      refuseStrangers(files);
      // The version is written before any content.
      refuseContent(files, files.log(), name -> name.endsWith(StoreFiles.SEGMENT_SUFFIX));
      refuseContent(
          files, files.lateArrivals(), name -> name.endsWith(StoreFiles.LATE_ARRIVALS_SUFFIX));
      refuseContent(
          files, files.firstTimes(), name -> name.endsWith(StoreFiles.FIRST_TIMES_SUFFIX));
      refuseContent(files, files.pages(), name -> true);
      if (FileKind.FILE.isAt(files.catalogue())) {
        throw lost(files, files.catalogue());
      }
    }
    return NONE;
  }

  private static StoreVersion of(StoreFiles files, String found) {
    if (!found.equals(TEXT)) {
      throw new CorruptException(
          ("%s: \"%s\", this program reads \"%s\"; use the program that wrote it. To move the events,"
                  + " read them out with that program, and import them into an empty directory"
                  + " (hourglass import)")
              .formatted(files.version(), found.strip(), TEXT.strip()));
    }
    return CURRENT;
  }

  /** Writes the current version. The directory must contain a finished CATALOGUE.new. */
  public static void makeCurrent(Disk disk, StoreFiles files) throws IOException {
    disk.replace(files.version(), TEXT);
  }

  private static void requireFolder(Path folder) {
    if (!FileKind.FOLDER.isAt(folder)) {
      throw new CorruptException(
          folder + ": missing; restore it, or make an empty one to see what else is to be done");
    }
  }

  private static void refuseContent(StoreFiles files, Path folder, Predicate<String> isContent)
      throws IOException {
    if (!FileKind.FOLDER.isAt(folder)) {
      return;
    }
    try (Stream<Path> found = Files.list(folder)) {
      if (found.anyMatch(path -> isContent.test(path.getFileName().toString()))) {
        throw lost(files, folder);
      }
    }
  }

  private static CorruptException lost(StoreFiles files, Path there) {
    return new CorruptException(
        "%s: missing, though %s is %s; restore it, or choose another directory"
            .formatted(
                files.version(), there, there.equals(files.catalogue()) ? "there" : "not empty"));
  }

  private static void refuseStrangers(StoreFiles files) throws IOException {
    List<Path> ours =
        List.of(
            files.lock(),
            files.newVersion(),
            files.catalogue(),
            files.newCatalogue(),
            files.log(),
            files.lateArrivals(),
            files.firstTimes(),
            files.pages());
    try (Stream<Path> found = Files.list(files.dir())) {
      Path stranger = found.filter(path -> !ours.contains(path)).findFirst().orElse(null);
      if (stranger != null) {
        throw new CorruptException(
            "%s: not a data directory, it holds %s; choose an empty one"
                .formatted(files.dir(), stranger.getFileName()));
      }
    }
  }
}
