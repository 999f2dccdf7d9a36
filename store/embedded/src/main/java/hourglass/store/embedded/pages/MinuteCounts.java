package hourglass.store.embedded.pages;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.store.Columns;
import java.util.Arrays;

/**
 * Columns in each minute of an hour, from the first with any to the last. The array must not be
 * changed.
 */
@SuppressWarnings("ArrayRecordComponent") // a compact value, never compared whole
public record MinuteCounts(int from, int[] counts) {
  static final int MINUTES = 60;

  static MinuteCounts of(Hour hour, Columns columns) {
    int[] all = new int[MINUTES];
    for (int i = 0; i < columns.size(); i++) {
      all[(int) ((columns.ticks(i) - hour.startTicks()) / Ticks.PER_MINUTE)]++;
    }
    return ofAll(all);
  }

  static MinuteCounts ofAll(int[] all) {
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

  void addTo(int[] all) {
    for (int i = 0; i < counts.length; i++) {
      all[from + i] += counts[i];
    }
  }
}
