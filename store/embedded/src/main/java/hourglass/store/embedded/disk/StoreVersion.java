package hourglass.store.embedded.disk;

import hourglass.store.CorruptException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The version of a data directory's layout. Version 2 added the catalogue and the range of log
 * segments. An upgrade writes CATALOGUE.new, then the version, and then moves the catalogue into
 * place. So a catalogue proves version 2.
 */
public enum StoreVersion {
  NONE(""),
  FIRST("hourglass embedded store 1\n"),
  CURRENT("hourglass embedded store 2\n");

  private final String text;

  StoreVersion(String text) {
    this.text = text;
  }

  /** Returns the version of a directory. Throws CorruptException if another program uses it. */
  public static StoreVersion of(StoreFiles files) throws IOException {
    Path version = files.version();
    if (FileKind.FILE.isAt(version)) {
      requireFolder(files.log());
      return of(files, StoreFiles.firstLine(version));
    }
    if (FileKind.FOLDER.isAt(files.dir())) {
      refuseStrangers(files);
      // The version is written before any content.
      refuseContent(files, files.log(), name -> name.endsWith(StoreFiles.SEGMENT_SUFFIX));
      refuseContent(
          files, files.lateArrivals(), name -> name.endsWith(StoreFiles.LATE_ARRIVALS_SUFFIX));
      refuseContent(
          files, files.firstTimes(), name -> name.endsWith(StoreFiles.FIRST_TIMES_SUFFIX));
      refuseContent(files, files.hours(), name -> true);
      if (FileKind.FILE.isAt(files.catalogue())) {
        throw lost(files, files.catalogue());
      }
    }
    return NONE;
  }

  private static StoreVersion of(StoreFiles files, String found) {
    if (found.equals(CURRENT.text)) {
      return CURRENT;
    }
    if (found.equals(FIRST.text) && FileKind.FILE.isAt(files.catalogue())) {
      throw new CorruptException(
          "%s: \"%s\", which has no %s, and one is there; restore the file"
              .formatted(files.version(), found.strip(), StoreFiles.CATALOGUE));
    }
    if (found.equals(FIRST.text)) {
      requireFolder(files.hours());
      return FIRST;
    }
    throw new CorruptException(
        "%s: \"%s\", this program reads \"%s\" and \"%s\"; use the program that wrote it"
            .formatted(files.version(), found.strip(), FIRST.text.strip(), CURRENT.text.strip()));
  }

  /** Writes the current version. The directory must contain a finished CATALOGUE.new. */
  public static void makeCurrent(Disk disk, StoreFiles files) throws IOException {
    disk.replace(files.version(), CURRENT.text);
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
            files.hours());
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
