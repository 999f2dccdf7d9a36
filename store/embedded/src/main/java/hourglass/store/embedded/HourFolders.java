package hourglass.store.embedded;

import hourglass.bucketing.Hour;
import hourglass.store.CorruptException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Lists the folders of retention classes and hours, and refuses what has no place among them. */
final class HourFolders {
  private static final Pattern CLASS =
      Pattern.compile("(" + StoreFiles.KEEP + "|[1-9][0-9]{0,8}h)[+]*");

  private HourFolders() {}

  /**
   * The folders of the retention classes, sorted.
   *
   * @throws CorruptException naming a folder of another name, or a file of such a name
   */
  static List<Path> classes(StoreFiles files) throws IOException {
    return list(files.hours(), name -> CLASS.matcher(name).matches(), "a retention class");
  }

  /**
   * The folders of the hours of a class, and of those that are being deleted; sorted.
   *
   * @throws CorruptException naming a folder of another name, or a file of such a name
   */
  static List<Path> hours(Path classDir) throws IOException {
    return list(classDir, HourFolders::isHour, "an hour");
  }

  static boolean isDropped(Path folder) {
    return folder.getFileName().toString().endsWith(StoreFiles.DROPPED);
  }

  /** The hour of a folder that {@link #hours} listed and that is not being deleted. */
  static Hour hour(Path folder) {
    return Hour.parse(folder.getFileName().toString());
  }

  private static boolean isHour(String name) {
    String hour =
        name.endsWith(StoreFiles.DROPPED)
            ? name.substring(0, name.length() - StoreFiles.DROPPED.length())
            : name;
    try {
      return Hour.parse(hour).toString().equals(hour);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static List<Path> list(Path dir, Predicate<String> isOurs, String what)
      throws IOException {
    List<Path> folders = new ArrayList<>();
    if (!FileKind.FOLDER.isAt(dir)) {
      return folders;
    }
    try (Stream<Path> paths = Files.list(dir)) {
      for (Path path : paths.sorted().toList()) {
        if (isOurs.test(path.getFileName().toString())) {
          if (FileKind.FOLDER.isAt(path)) { // it may be gone since
            folders.add(path);
          }
        } else if (Files.isDirectory(path)) {
          throw new CorruptException(
              path + ": not a name of a folder of " + what + "; move it away, or restore its name");
        }
      }
    }
    return folders;
  }
}
