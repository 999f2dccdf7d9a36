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
 * and then its catalogue is moved into place. So a catalogue proves a version. The version is
 * raised before the first erasure, since programs that do not know erasures would show erased
 * events.
 */
public enum StoreVersion {
  NONE,
  WITHOUT_ERASURES,
  WITH_ERASURES;

  private static final String TEXT_WITHOUT = "hourglass embedded store 4\n";
  private static final String TEXT_WITH = "hourglass embedded store 5\n";

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
      refuseContent(files, files.erasures(), name -> name.endsWith(StoreFiles.ERASURE_SUFFIX));
      refuseContent(files, files.pages(), name -> true);
      if (FileKind.FILE.isAt(files.catalogue())) {
        throw lost(files, files.catalogue());
      }
    }
    return NONE;
  }

  private static StoreVersion of(StoreFiles files, String found) {
    return switch (found) {
      case TEXT_WITHOUT -> WITHOUT_ERASURES;
      case TEXT_WITH -> WITH_ERASURES;
      default ->
          throw new CorruptException(
              ("%s: \"%s\", this program reads \"%s\" and \"%s\"; use the program that wrote it. To"
                      + " move the events, read them out with that program, and import them into an"
                      + " empty directory (hourglass import)")
                  .formatted(
                      files.version(), found.strip(), TEXT_WITHOUT.strip(), TEXT_WITH.strip()));
    };
  }

  /**
   * Writes the version of a directory by what it contains. That must include a finished
   * CATALOGUE.new, and all erasures.
   */
  public static void write(Disk disk, StoreFiles files) throws IOException {
    boolean hasErasures =
        !StoreFiles.numbers(files.erasures(), StoreFiles.ERASURE_SUFFIX).isEmpty();
    disk.replace(files.version(), hasErasures ? TEXT_WITH : TEXT_WITHOUT);
  }

  /**
   * Raises the version for erasures. It is never lowered again. It is durable after the next force
   * of the directory, since a process that raised it before may have ended first.
   */
  public static void raiseForErasures(Disk disk, StoreFiles files) throws IOException {
    if (of(files) != WITH_ERASURES) {
      disk.replace(files.version(), TEXT_WITH);
    }
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
            files.erasures(),
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
