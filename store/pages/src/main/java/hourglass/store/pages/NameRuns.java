package hourglass.store.pages;

import hourglass.store.pages.runs.CompressedBytes;
import hourglass.store.pages.runs.Indexes;

/**
 * The runs in lower halves of names, such as a partition's offsets. A run contains 2^24 numbers;
 * names of several runs may alternate. Not thread-safe; reused.
 */
final class NameRuns {
  static final int RUNS_MAX = Indexes.OF_MAX;

  private static final int RUN_BITS = 24;

  /**
   * The least number of names for each run. A start costs as much as a hash, so with fewer names in
   * a run, runs gain little.
   */
  private static final int COLUMNS_PER_RUN_MIN = 16;

  private final long[] runs = new long[RUNS_MAX];
  private final long[] starts = new long[RUNS_MAX];
  private byte[] runOf = new byte[0];
  private int count;

  /** Finds the runs of the first {@code columns} numbers; false if runs are not worthwhile. */
  boolean find(long[] sortable, int columns) {
    if (isNarrow(sortable, columns)) {
      return false;
    }
    int max = Math.min(RUNS_MAX, columns / COLUMNS_PER_RUN_MIN);
    runOf = CompressedBytes.room(runOf, columns);
    count = 0;
    int run = -1;
    for (int i = 0; i < columns; i++) {
      run = indexOf(sortable[i] >>> RUN_BITS, run);
      if (run < 0) {
        if (count == max) {
          return false;
        }
        run = count++;
        runs[run] = sortable[i] >>> RUN_BITS;
        starts[run] = sortable[i];
      }
      starts[run] = Math.min(starts[run], sortable[i]);
      runOf[i] = (byte) run;
    }
    return true;
  }

  private static boolean isNarrow(long[] sortable, int columns) {
    long least = Long.MAX_VALUE;
    long greatest = Long.MIN_VALUE;
    for (int i = 0; i < columns; i++) {
      least = Math.min(least, sortable[i]);
      greatest = Math.max(greatest, sortable[i]);
    }
    long distance = greatest - least;
    return distance >= 0 && distance < 1L << RUN_BITS;
  }

  /**
   * The index of a run; -1 if it is unknown. It tries the previous name's run first, which is
   * mostly the same.
   */
  private int indexOf(long run, int before) {
    if (before >= 0 && runs[before] == run) {
      return before;
    }
    int i = count - 1;
    while (i >= 0 && runs[i] != run) {
      i--;
    }
    return i;
  }

  int count() {
    return count;
  }

  long start(int run) {
    return starts[run];
  }

  /** The run of each name, as unsigned bytes. */
  byte[] runOf() {
    return runOf;
  }

  void subtractStarts(long[] sortable, int columns) {
    for (int i = 0; i < columns; i++) {
      sortable[i] -= starts[runOf[i] & 0xff];
    }
  }
}
