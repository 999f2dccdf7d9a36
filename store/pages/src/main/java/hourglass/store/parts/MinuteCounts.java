package hourglass.store.parts;

import java.util.Arrays;

/**
 * Columns in each minute of an hour, from the first with any to the last. The array must not be
 * changed.
 */
@SuppressWarnings("ArrayRecordComponent") // a compact value, never compared whole
public record MinuteCounts(int from, int[] counts) {
  private static final int MINUTES = 60;

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
