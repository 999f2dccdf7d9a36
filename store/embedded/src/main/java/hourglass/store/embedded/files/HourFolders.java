package hourglass.store.embedded.files;

import hourglass.bucketing.Hour;
import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.StoreFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Lists the folders of retention classes and hours. An unknown name is an error at start, but is
 * ignored later, so that it never fails a write.
 */
public final class HourFolders {
  private static final Pattern CLASS =
      Pattern.compile("(" + StoreFiles.KEEP + "|[1-9][0-9]{0,8}h)[+]*");

  private HourFolders() {}

  /** Lists the classes, sorted. Throws CorruptException for any other name. */
  public static List<Path> classes(StoreFiles files) throws IOException {
    return list(files.hours(), HourFolders::isClass, "a retention class");
  }

  /** Lists the classes, and ignores unknown names. */
  public static List<Path> classesNow(StoreFiles files) throws IOException {
    try {
      return folders(named(files.hours(), HourFolders::isClass));
    } catch (CorruptException e) { // the folder is corrupt, not the requested data
      throw new UnavailableException(String.valueOf(e.getMessage()), e);
    }
  }

  /** Lists the hours, with those that are being deleted. Throws like {@link #classes}. */
  public static List<Path> hours(Path classDir) throws IOException {
    return list(classDir, HourFolders::isHour, "an hour");
  }

  /** Lists the hours, and ignores unknown names and files. */
  public static List<Path> hoursNow(Path classDir) throws IOException {
    return named(classDir, HourFolders::isHour).stream().filter(Files::isDirectory).toList();
  }

  public static boolean isDropped(Path folder) {
    return folder.getFileName().toString().endsWith(StoreFiles.DROPPED);
  }

  /** Returns the hour of a folder that is not being deleted. */
  public static Hour hour(Path folder) {
    return Hour.parse(folder.getFileName().toString());
  }

  private static boolean isClass(String name) {
    return CLASS.matcher(name).matches();
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
    for (Path path : named(dir, isOurs.negate())) {
      if (Files.isDirectory(path)) {
        throw new CorruptException(
            path + ": not a name of a folder of " + what + "; move it away, or restore its name");
      }
    }
    return folders(named(dir, isOurs));
  }

  /** Lists the paths with these names; none if the folder does not exist. */
  private static List<Path> named(Path dir, Predicate<String> names) throws IOException {
    if (!FileKind.FOLDER.isAt(dir)) {
      return List.of();
    }
    try (Stream<Path> paths = Files.list(dir)) {
      return paths.filter(path -> names.test(path.getFileName().toString())).sorted().toList();
    }
  }

  private static List<Path> folders(List<Path> paths) {
    return paths.stream().filter(FileKind.FOLDER::isAt).toList();
  }
}
