package hourglass.store.embedded.disk;

import hourglass.bucketing.Hour;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Every name in a data directory.
 *
 * <pre>
 * DIR/LOCK                                held while a process has the directory open
 * DIR/VERSION                             the version of this layout; VERSION.new in the making
 * DIR/CATALOGUE                           what belongs here; CATALOGUE.new in the making
 * DIR/log/00000000000000000007.log        commit log segments
 * DIR/log/segments                        which segments there must be
 * DIR/log/end                             where a clean stop left the log
 * DIR/arrivals/00000000000000000003.notes notes of late columns that are in no segment any more
 * DIR/arrivals/end                        how much of the newest of them there must be
 * DIR/arrivals/settled                    the greatest settled tick that readers may have had
 * DIR/hours/keep/2026-11-20T08/inventory  what pages the hour has, one folder a retention class
 * DIR/hours/keep/2026-11-20T08/inventory.end    of version 1: how many groups it has at least
 * DIR/hours/keep/2026-11-20T08/pages.0    Chronicle Maps, by generation
 * DIR/hours/keep/2026-11-20T08/OPEN       there while the maps are open: found, they are only read from then on
 * DIR/hours/720h/...                      the class of types that are kept for 30 days
 * DIR/hours/keep/2026-11-20T08.dropped    being deleted
 * DIR/hours/keep+/2026-11-20T08/...       what came while something of hours/keep/... was missing
 * </pre>
 */
public record StoreFiles(Path dir) {
  public static final String CATALOGUE = "CATALOGUE";
  public static final String KEEP = "keep";

  /** Appended to the name of a class, for hours of which something is missing. */
  public static final String BESIDE = "+";

  public static final String DROPPED = ".dropped";
  public static final String SEGMENT_SUFFIX = ".log";
  public static final String ARRIVALS_SUFFIX = ".notes";
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

  public Path arrivals() {
    return dir.resolve("arrivals");
  }

  public Path arrivals(long number) {
    return arrivals().resolve(String.format("%020d%s", number, ARRIVALS_SUFFIX));
  }

  public Path arrivalsEnd() {
    return arrivals().resolve("end");
  }

  public Path settled() {
    return arrivals().resolve("settled");
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

  public static Path inventoryEnd(Path hourDir) {
    return hourDir.resolve("inventory.end");
  }

  public static Path pages(Path hourDir, int generation) {
    return hourDir.resolve(PAGES_PREFIX + generation);
  }

  public static Path openMarker(Path hourDir) {
    return hourDir.resolve("OPEN");
  }

  /** The class of a retention: whole hours, rounded up, or {@link #KEEP}. */
  public static String retentionClass(@Nullable Duration keep) {
    return keep == null ? KEEP : keep.plusHours(1).minusNanos(1).toHours() + "h";
  }

  /** The retention of a class; null: for ever. */
  public static @Nullable Duration retentionOf(String retentionClass) {
    String name = retentionClass.replace(BESIDE, "");
    return name.equals(KEEP)
        ? null
        : Duration.ofHours(Long.parseLong(name.substring(0, name.length() - 1)));
  }
}
