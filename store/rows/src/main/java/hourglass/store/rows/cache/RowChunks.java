package hourglass.store.rows.cache;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.store.ColumnRange;
import hourglass.store.Manifest;
import java.util.Arrays;

/**
 * Divides a sealed row into chunks of similar column counts by its manifest alone, so all readers
 * get the same chunks. Immutable.
 */
final class RowChunks {
  /** The columns of a chunk, about; it is decompressed in less than a millisecond. */
  private static final int COLUMNS = 2_048;

  private static final int UNKNOWN = -1;

  /** The most chunks of a minute: enough for 120,000 columns. */
  private static final int PARTS_MAX = 60;

  /** The starts of the chunks in ticks, and the end of the last chunk. */
  private final long[] bounds;

  /**
   * The columns of each chunk according to the manifest; {@link #UNKNOWN} for a part of a minute.
   */
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

  ColumnRange range(int chunk) {
    return ColumnRange.ofTicks(bounds[chunk], bounds[chunk + 1]);
  }

  boolean mayHave(int chunk, int count) {
    return columns[chunk] == UNKNOWN || columns[chunk] == count;
  }

  /**
   * The chunk that contains the ticks; the first or the last chunk for ticks outside of the hour.
   */
  int at(long ticks) {
    int found = Arrays.binarySearch(bounds, ticks);
    int chunk = found >= 0 ? found : -found - 2;
    return Math.max(0, Math.min(chunk, count() - 1));
  }
}
