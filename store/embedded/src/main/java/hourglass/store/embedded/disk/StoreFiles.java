package hourglass.store.embedded.disk;

import hourglass.store.CorruptException;
import hourglass.store.Retention;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The names in a data directory.
 *
 * <pre>
 * DIR/LOCK                                held while a process has the directory open
 * DIR/VERSION                             the version of this layout; VERSION.new while written
 * DIR/CATALOGUE                           files that must exist; CATALOGUE.new while written
 * DIR/spare                               room for the record of a drop on a full disk
 * DIR/log/00000000000000000007.log        commit log segments
 * DIR/log/segments                        segments that must exist
 * DIR/log/end                             end of the log at a clean stop
 * DIR/pages/00000000000000000012.pages    page files, which are written once
 * DIR/pages/unfinished                    the next one while written
 * DIR/pages/kept                          says that files which are not listed stay
 * DIR/damaged/00000000030064771073.page   bytes of a damaged page that a repair took out of use
 * DIR/damaged/00000000030064771073.kept   the same, of a page whose loss the catalogue does not name
 * DIR/damaged/unfinished                  the next one while written
 * DIR/arrivals/00000000000000000003.notes late arrivals of deleted segments
 * DIR/arrivals/end                        least length of the newest of them
 * DIR/arrivals/settled                    the greatest settled tick that readers may have had
 * DIR/first-times/00000000000000000001.times    first times of deleted segments
 * DIR/erasures/00000000000000000001.erasure     columns that are erased, or what is remembered of them
 * </pre>
 */
public record StoreFiles(Path dir) {
  public static final String CATALOGUE = "CATALOGUE";
  public static final String KEEP = "keep";

  public static final String ASIDE_SUFFIX = ".page";
  public static final String KEPT_ASIDE_SUFFIX = ".kept";
  public static final String SEGMENT_SUFFIX = ".log";
  public static final String LATE_ARRIVALS_SUFFIX = ".notes";
  public static final String FIRST_TIMES_SUFFIX = ".times";
  public static final String PAGES_SUFFIX = ".pages";
  public static final String ERASURE_SUFFIX = ".erasure";

  private static final String UNFINISHED_SUFFIX = ".new";

  public Path lock() {
    return dir.resolve("LOCK");
  }

  Path version() {
    return dir.resolve("VERSION");
  }

  Path newVersion() {
    return dir.resolve("VERSION.new");
  }

  public Path catalogue() {
    return dir.resolve(CATALOGUE);
  }

  public Path newCatalogue() {
    return dir.resolve(CATALOGUE + ".new");
  }

  public Path spare() {
    return dir.resolve("spare");
  }

  public Path log() {
    return dir.resolve("log");
  }

  public Path segment(long number) {
    return log().resolve(String.format("%020d%s", number, SEGMENT_SUFFIX));
  }

  public Path logRange() {
    return log().resolve("segments");
  }

  public Path logEnd() {
    return log().resolve("end");
  }

  public Path lateArrivals() {
    return dir.resolve("arrivals");
  }

  public Path lateArrivals(long number) {
    return lateArrivals().resolve(String.format("%020d%s", number, LATE_ARRIVALS_SUFFIX));
  }

  public Path lateArrivalsEnd() {
    return lateArrivals().resolve("end");
  }

  public Path settled() {
    return lateArrivals().resolve("settled");
  }

  public Path firstTimes() {
    return dir.resolve("first-times");
  }

  public Path firstTimes(long number) {
    return firstTimes().resolve(String.format("%020d%s", number, FIRST_TIMES_SUFFIX));
  }

  public Path erasures() {
    return dir.resolve("erasures");
  }

  public Path erasure(long number) {
    return erasures().resolve(String.format("%020d%s", number, ERASURE_SUFFIX));
  }

  public Path pages() {
    return dir.resolve("pages");
  }

  public Path pages(long number) {
    return pages().resolve(String.format("%020d%s", number, PAGES_SUFFIX));
  }

  public Path keptPages() {
    return pages().resolve("kept");
  }

  public Path unfinishedPages() {
    return pages().resolve("unfinished");
  }

  public Path aside() {
    return dir.resolve("damaged");
  }

  public Path asidePage(long page) {
    return aside().resolve(String.format("%020d%s", page, ASIDE_SUFFIX));
  }

  public Path keptAsidePage(long page) {
    return aside().resolve(String.format("%020d%s", page, KEPT_ASIDE_SUFFIX));
  }

  public Path unfinishedAside() {
    return aside().resolve("unfinished");
  }

  /** Returns the paths below the directory that have none of the names above. */
  public List<Path> strangers() throws IOException {
    List<Path> strangers = new ArrayList<>();
    addStrangers(
        strangers,
        dir,
        path ->
            Set.of(
                    lock(),
                    version(),
                    newVersion(),
                    catalogue(),
                    newCatalogue(),
                    spare(),
                    log(),
                    lateArrivals(),
                    firstTimes(),
                    erasures(),
                    pages(),
                    aside())
                .contains(path));
    addStrangers(strangers, log(), path -> isOf(path, SEGMENT_SUFFIX, logRange(), logEnd()));
    addStrangers(
        strangers,
        lateArrivals(),
        path -> isOf(path, LATE_ARRIVALS_SUFFIX, lateArrivalsEnd(), settled()));
    addStrangers(strangers, firstTimes(), path -> isOf(path, FIRST_TIMES_SUFFIX));
    addStrangers(strangers, erasures(), path -> isOf(path, ERASURE_SUFFIX));
    addStrangers(
        strangers, pages(), path -> isOf(path, PAGES_SUFFIX, unfinishedPages(), keptPages()));
    addStrangers(
        strangers,
        aside(),
        path -> isOf(path, ASIDE_SUFFIX, unfinishedAside()) || isOf(path, KEPT_ASIDE_SUFFIX));
    return strangers;
  }

  /**
   * Whether a file is numbered, or has one of the names, or is a new one of these being written.
   */
  private static boolean isOf(Path path, String suffix, Path... names) {
    String name = path.getFileName().toString();
    boolean isRewritten =
        Set.of(LATE_ARRIVALS_SUFFIX, FIRST_TIMES_SUFFIX, ERASURE_SUFFIX).contains(suffix);
    return name.matches("\\d{20}" + Pattern.quote(suffix) + (isRewritten ? "(\\.new)?" : ""))
        || Stream.of(names)
            .map(each -> each.getFileName().toString())
            .anyMatch(each -> name.equals(each) || name.equals(each + ".new"));
  }

  private static void addStrangers(List<Path> to, Path folder, Predicate<Path> isOurs)
      throws IOException {
    if (FileKind.FOLDER.isAt(folder)) {
      try (Stream<Path> found = Files.list(folder)) {
        found.filter(isOurs.negate()).sorted().forEach(to::add);
      }
    }
  }

  /** Reads at most 100 bytes, so that a message can quote other content. */
  static String firstLine(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(100), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new IOException(file + ": cannot be read: " + e, e); // the cause may not name the file
    }
  }

  /** Returns the numbers of the files in a folder, sorted; none if there is no such folder. */
  public static List<Long> numbers(Path folder, String suffix) throws IOException {
    if (!FileKind.FOLDER.isAt(folder)) {
      return List.of();
    }
    try (Stream<Path> paths = Files.list(folder)) {
      return paths
          .filter(path -> path.toString().endsWith(suffix))
          .map(path -> number(path, suffix))
          .sorted()
          .toList();
    }
  }

  /** Returns the path of a file while it is written anew; a move then puts it in place. */
  public static Path unfinished(Path file) {
    return file.resolveSibling(file.getFileName() + UNFINISHED_SUFFIX);
  }

  /** Deletes numbered files that a crash kept from being moved in place. */
  public static void deleteUnfinished(Disk disk, Path folder, String suffix) throws IOException {
    String unfinished = suffix + UNFINISHED_SUFFIX;
    List<Long> numbers = numbers(folder, unfinished);
    for (long number : numbers) {
      disk.delete(folder.resolve(String.format("%020d%s", number, unfinished)));
    }
    if (!numbers.isEmpty()) {
      disk.forceDirectory(folder);
    }
  }

  private static long number(Path file, String suffix) {
    String name = file.getFileName().toString();
    try {
      return Long.parseLong(name.substring(0, name.length() - suffix.length()));
    } catch (NumberFormatException e) {
      throw new CorruptException(
          file + ": no file of the store, which would be named by a number; remove it", e);
    }
  }

  /** Returns a retention in whole hours, rounded up, or {@link #KEEP}. */
  public static String retentionClass(Duration keep) {
    return keep.equals(Retention.FOREVER) ? KEEP : keep.plusHours(1).minusNanos(1).toHours() + "h";
  }

  /** Returns the retention of a class; null if its hours are kept forever. */
  public static @Nullable Duration retentionOf(String retentionClass) {
    return retentionClass.equals(KEEP)
        ? null
        : Duration.ofHours(
            Long.parseLong(retentionClass.substring(0, retentionClass.length() - 1)));
  }
}
