package hourglass.store.embedded.backup;

import hourglass.bucketing.Hour;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A point of a backup. Its rows are in the pool, a file for each day. Immutable.
 *
 * @param time the moment before which all that was acknowledged is in it, by the server's clock
 * @param log the place at which the log of a restored store begins
 * @param settledTicks the watermark of live tails; 0 if there was none
 * @param losses the pages that the catalogue in it names as lost
 * @param files all files
 * @param days the days that it has rows of, in their order
 */
record Point(
    String id,
    Instant time,
    LogStart log,
    long settledTicks,
    Losses losses,
    List<PointFile> files,
    List<Day> days) {
  static final String CATALOGUE = "CATALOGUE";

  /**
   * The begin of a log without records.
   *
   * @param segment the number of the segment
   * @param group the number of the next group
   */
  record LogStart(long segment, long group) {}

  /**
   * The sums of the rows.
   *
   * @param damaged the rows that could not be read when the point was made
   */
  record Totals(long rows, long columns, long damaged) {
    static Totals of(List<Day> days) {
      return new Totals(
          days.stream().mapToLong(day -> day.totals().rows()).sum(),
          days.stream().mapToLong(day -> day.totals().columns()).sum(),
          days.stream().mapToLong(day -> day.totals().damaged()).sum());
    }
  }

  /**
   * An hour of a day.
   *
   * @param state distinguishes its pages from those of another moment
   */
  record HourState(Hour hour, String state) {}

  /**
   * The rows of a day in UTC, which are in a file of the pool.
   *
   * @param bytes the length of that file; {@code sha256} is that of its bytes, in hexadecimals
   */
  record Day(LocalDate date, long bytes, String sha256, Totals totals, List<HourState> hours) {
    private static final int HOURS = 24;

    Day {
      hours = List.copyOf(hours);
    }

    static LocalDate of(Hour hour) {
      return LocalDate.ofEpochDay(Math.floorDiv(hour.epochHours(), HOURS));
    }

    /** The name of the file in the pool. */
    String pooled() {
      return sha256 + BackupFiles.PART_SUFFIX;
    }
  }

  Point {
    files = List.copyOf(files);
    days = List.copyOf(days);
  }

  Totals totals() {
    return Totals.of(days);
  }

  /** Returns a day; null if it has no rows. */
  @Nullable Day day(LocalDate date) {
    return days.stream().filter(day -> day.date().equals(date)).findFirst().orElse(null);
  }

  /** Returns the names and lengths of all files of the pool that it needs. */
  Map<String, Long> pooled() {
    Map<String, Long> pooled = new HashMap<>();
    for (PointFile file : files) {
      if (file.pooled() != null) {
        pooled.put(file.pooled(), file.bytes());
      }
    }
    days.forEach(day -> pooled.put(day.pooled(), day.bytes()));
    return pooled;
  }

  /** Whether the store had all of its files, rows and pages. */
  boolean isWhole() {
    return losses.isNone()
        && totals().damaged() == 0
        && files.stream().allMatch(file -> file.pooled() != null);
  }

  long bytes() {
    return files.stream().mapToLong(PointFile::bytes).sum();
  }

  PointFile catalogue() {
    return files.stream().filter(file -> file.path().equals(CATALOGUE)).findFirst().orElseThrow();
  }

  /** Returns the page files by number. */
  Map<Long, PointFile> pages() {
    return files.stream()
        .filter(PointFile::isPages)
        .collect(Collectors.toMap(PointFile::number, Function.identity()));
  }
}
