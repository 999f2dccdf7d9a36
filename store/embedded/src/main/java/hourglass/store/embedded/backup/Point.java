package hourglass.store.embedded.backup;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A point of a backup without its rows. Immutable.
 *
 * @param time when it was made, by the clock of the server
 * @param log the place at which the log of a restored store begins
 * @param settledTicks the watermark of live tails; 0 if there was none
 * @param files all files
 * @param totals the sums of its rows
 */
record Point(
    String id,
    Instant time,
    LogStart log,
    long settledTicks,
    List<PointFile> files,
    Totals totals) {
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
  record Totals(long rows, long columns, long damaged) {}

  Point {
    files = List.copyOf(files);
  }

  /** Whether the store had all of its files and rows. */
  boolean isWhole() {
    return totals.damaged() == 0 && files.stream().allMatch(file -> file.pooled() != null);
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
