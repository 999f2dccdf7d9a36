package hourglass.store.embedded.disk;

import hourglass.bucketing.Hour;
import hourglass.store.CorruptException;
import hourglass.store.Retention;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The names in a data directory. Maps with a left OPEN were not closed, and are only read from then
 * on.
 *
 * <pre>
 * DIR/LOCK                                held while a process has the directory open
 * DIR/VERSION                             the version of this layout; VERSION.new while written
 * DIR/CATALOGUE                           files that must exist; CATALOGUE.new while written
 * DIR/log/00000000000000000007.log        commit log segments
 * DIR/log/segments                        segments that must exist
 * DIR/log/end                             end of the log at a clean stop
 * DIR/arrivals/00000000000000000003.notes late arrivals of deleted segments
 * DIR/arrivals/end                        least length of the newest of them
 * DIR/arrivals/settled                    the greatest settled tick that readers may have had
 * DIR/first-times/00000000000000000001.times    first times of deleted segments
 * DIR/hours/keep/2026-11-20T08/inventory  pages of the hour, by retention class
 * DIR/hours/keep/2026-11-20T08/pages.0    Chronicle Maps, by generation
 * DIR/hours/keep/2026-11-20T08/OPEN       exists while the maps are open
 * DIR/hours/720h/...                      types that are kept for 30 days
 * DIR/hours/keep/2026-11-20T08.dropped    being deleted
 * DIR/hours/keep+/2026-11-20T08/...       new columns while parts of keep were missing
 * </pre>
 */
public record StoreFiles(Path dir) {
  public static final String CATALOGUE = "CATALOGUE";
  public static final String KEEP = "keep";

  /** The suffix of a class for hours with missing parts. */
  public static final String BESIDE = "+";

  public static final String DROPPED = ".dropped";
  public static final String SEGMENT_SUFFIX = ".log";
  public static final String LATE_ARRIVALS_SUFFIX = ".notes";
  public static final String FIRST_TIMES_SUFFIX = ".times";
  public static final String PAGES_PREFIX = "pages.";

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

  public Path hours() {
    return dir.resolve("hours");
  }

  public Path hours(String retentionClass) {
    return hours().resolve(retentionClass);
  }

  public Path hour(String retentionClass, Hour hour) {
    return hours(retentionClass).resolve(hour.toString());
  }

  public static Path inventory(Path hourDir) {
    return hourDir.resolve("inventory");
  }

  public static Path pages(Path hourDir, int generation) {
    return hourDir.resolve(PAGES_PREFIX + generation);
  }

  public static Path openMarker(Path hourDir) {
    return hourDir.resolve("OPEN");
  }

  /** Reads at most 100 bytes, so that a message can quote other content. */
  static String firstLine(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(100), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new IOException(file + ": cannot be read: " + e, e); // the cause may not name the file
    }
  }

  public static List<Long> numbers(Path folder, String suffix) throws IOException {
    try (Stream<Path> paths = Files.list(folder)) {
      return paths
          .filter(path -> path.toString().endsWith(suffix))
          .map(path -> number(path, suffix))
          .sorted()
          .toList();
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
    String name = retentionClass.replace(BESIDE, "");
    return name.equals(KEEP)
        ? null
        : Duration.ofHours(Long.parseLong(name.substring(0, name.length() - 1)));
  }
}
