package hourglass.query;

import java.util.List;

/**
 * Events per step of a range.
 *
 * @param range the range; the first step begins where it does
 * @param stepMillis the length of a step
 * @param series one a type that has events, sorted by type, or a single one for all types
 */
public record Hits(TimeRange range, long stepMillis, List<Series> series) {

  /**
   * The counts of a type.
   *
   * @param type the type, or empty for all types together
   * @param counts one a step; not to be changed
   */
  @SuppressWarnings("ArrayRecordComponent") // handed to the encoder, never compared
  public record Series(String type, long[] counts) {}

  /** Events in all. */
  public long total() {
    long total = 0;
    for (Series one : series) {
      for (long count : one.counts) {
        total += count;
      }
    }
    return total;
  }
}
