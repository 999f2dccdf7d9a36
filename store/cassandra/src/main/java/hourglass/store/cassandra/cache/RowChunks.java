package hourglass.store.cassandra.cache;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.store.ColumnRange;
import hourglass.store.Manifest;
import java.util.Arrays;

/**
 * How a sealed row is cut into chunks: by the counts of its manifest, so that everyone who has the
 * manifest cuts alike, and each chunk has about as many columns. Immutable.
 */
final class RowChunks {
  /** A slice of a usual query takes a few; unpacking one is less than a millisecond. */
  private static final int COLUMNS = 2_048;

  private static final int UNKNOWN = -1;

  /** A minute is cut into so many at the most: 120,000 columns of it. */
  private static final int PARTS_MAX = 60;

  /** Where chunk i begins, and as the last one where the last one ends. */
  private final long[] bounds;

  /** How many columns chunk i has, by the manifest; a part of a minute: {@link #UNKNOWN}. */
  private final int[] columns;

  private RowChunks(long[] bounds, int[] columns) {
    this.bounds = bounds;
    this.columns = columns;
  }

  static RowChunks of(Hour hour, Manifest manifest) {
    int[] counts = manifest.columnsByMinute();
    long[] bounds = new long[counts.length * PARTS_MAX + 1];
    int[] columns = new int[counts.length * PARTS_MAX];
    int chunks = 0;
    int inChunk = 0;
    for (int minute = 0; minute < counts.length; minute++) {
      long start = hour.startTicks() + minute * Ticks.PER_MINUTE;
      if (minute == 0 || inChunk + counts[minute] > COLUMNS) {
        int parts = Math.min(PARTS_MAX, Math.max(1, (counts[minute] + COLUMNS - 1) / COLUMNS));
        for (int part = 0; part < parts; part++) {
          columns[chunks] = parts == 1 ? 0 : UNKNOWN;
          bounds[chunks++] = start + Ticks.PER_MINUTE / parts * part;
        }
        inChunk = 0;
      }
      inChunk += counts[minute];
      if (columns[chunks - 1] != UNKNOWN) {
        columns[chunks - 1] += counts[minute];
      }
    }
    bounds[chunks] = hour.endTicks();
    return new RowChunks(Arrays.copyOf(bounds, chunks + 1), columns);
  }

  int count() {
    return bounds.length - 1;
  }

  /** The names of a chunk. */
  ColumnRange range(int chunk) {
    return ColumnRange.ofTicks(bounds[chunk], bounds[chunk + 1]);
  }

  /** Whether a chunk may have so many columns, by the manifest. */
  boolean mayHave(int chunk, int count) {
    return columns[chunk] == UNKNOWN || columns[chunk] == count;
  }

  /** The chunk that a tick of the hour falls into; the first or the last one for others. */
  int at(long ticks) {
    int found = Arrays.binarySearch(bounds, ticks);
    int chunk = found >= 0 ? found : -found - 2;
    return Math.max(0, Math.min(chunk, count() - 1));
  }
}
