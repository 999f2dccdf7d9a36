package hourglass.query;

import java.util.List;

/**
 * Events per step of a range.
 *
 * @param range the first step begins at its start
 * @param series one for each type with events, sorted by type, or a single one for all types
 */
public record Hits(TimeRange range, long stepMillis, List<Series> series) {

  /** One count for each step, not to be changed. The type is empty for all types together. */
  @SuppressWarnings("ArrayRecordComponent") // passed to the encoder, never compared
  public record Series(String type, long[] counts) {}

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
