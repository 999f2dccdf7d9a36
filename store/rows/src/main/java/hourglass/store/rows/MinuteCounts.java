package hourglass.store.rows;

import hourglass.bucketing.Ticks;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The number of columns in each minute of an hour, from the first minute with a column to the last.
 * Arrays must not be changed. Thread-safe.
 */
public final class MinuteCounts {
  private static final int MINUTES = 60;

  private static final int[] NONE = {};

  private final int from;
  private final int[] counts;

  /**
   * The columns at the first tick of each minute; empty if there are none, null if they were not
   * counted.
   */
  private volatile int @Nullable [] atStarts;

  public MinuteCounts(int from, int[] counts) {
    this.from = from;
    this.counts = counts;
  }

  /** The first minute with a column. */
  public int from() {
    return from;
  }

  /** The tick at which the first of the minutes begins. */
  public long startTicks(long hourStartTicks) {
    return hourStartTicks + from * Ticks.PER_MINUTE;
  }

  public int[] counts() {
    return counts;
  }

  /**
   * Counts the columns at the very first tick of each minute, as many numbers as in {@link
   * #counts}; empty if there are none. The numbers are kept, since headers do not contain them.
   *
   * @param names the names of the columns
   */
  public int[] atStarts(long hourStartTicks, Supplier<Columns> names) {
    int[] known = atStarts;
    if (known == null) {
      known = atStarts(hourStartTicks, names.get());
      atStarts = known;
    }
    return known;
  }

  private int[] atStarts(long hourStartTicks, Columns names) {
    int[] found = NONE;
    for (int i = 0; i < counts.length; i++) {
      long start = startTicks(hourStartTicks) + i * Ticks.PER_MINUTE;
      int count = names.within(ColumnRange.ofTicks(start, start + 1)).size();
      if (count > 0) {
        found = found.length == 0 ? new int[counts.length] : found;
        found[i] = count;
      }
    }
    return found;
  }

  public static MinuteCounts ofAll(int[] all) {
    int from = 0;
    while (from < MINUTES - 1 && all[from] == 0) {
      from++;
    }
    int to = MINUTES;
    while (to > from + 1 && all[to - 1] == 0) {
      to--;
    }
    return new MinuteCounts(from, Arrays.copyOfRange(all, from, to));
  }

  public int[] all() {
    int[] all = new int[MINUTES];
    System.arraycopy(counts, 0, all, from, counts.length);
    return all;
  }
}
