package hourglass.store.embedded.codec;

/**
 * Finds runs of lower halves of names: the positions of a request, the offsets of a partition, or
 * the numbers of a generator. A run has 2^24 numbers, and names of several runs may alternate. Not
 * thread-safe; reused for each page.
 */
final class NameRuns {
  static final int RUNS_MAX = Indexes.OF_MAX;

  /** Numbers in a run, as a power of two; a distance from the start has no more bits. */
  private static final int RUN_BITS = 24;

  /** A start costs as much as a hash: with fewer names a run, on average, runs gain little. */
  private static final int COLUMNS_PER_RUN_MIN = 16;

  private final long[] runs = new long[RUNS_MAX];
  private final long[] starts = new long[RUNS_MAX];
  private byte[] runOf = new byte[0];
  private int count;

  /** Finds the runs of the first {@code columns} numbers; false if they are not worth it. */
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

  /** Whether all numbers are so close together that a single run of numbers is enough. */
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

  /** The index of a run, or -1; tried first: the previous name's run, mostly the same. */
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

  /** The smallest number in a run. */
  long start(int run) {
    return starts[run];
  }

  /** The run of each number, as an unsigned byte. */
  byte[] runOf() {
    return runOf;
  }

  /** Replaces numbers by their distances from the starts of their runs. */
  void subtractStarts(long[] sortable, int columns) {
    for (int i = 0; i < columns; i++) {
      sortable[i] -= starts[runOf[i] & 0xff];
    }
  }
}
