package hourglass.store;

import hourglass.bucketing.TimeUuid;
import java.util.Arrays;

/**
 * Sorts positions by column name: a stable bottom-up merge sort that begins with existing runs,
 * since events mostly arrive in order.
 */
final class NameSort {
  private final long[] ticks;
  private final long[] lsbs;
  private final int size;

  NameSort(long[] ticks, long[] lsbs, int size) {
    this.ticks = ticks;
    this.lsbs = lsbs;
    this.size = size;
  }

  int[] order() {
    int[] from = new int[size];
    for (int i = 0; i < size; i++) {
      from[i] = i;
    }
    int[] to = new int[size];
    int[] runs = runs();
    int count = runs.length - 1;
    while (count > 1) {
      count = mergePairs(from, to, runs, count);
      int[] sorted = to;
      to = from;
      from = sorted;
    }
    return from;
  }

  /** The positions at which ascending runs begin, followed by {@link #size}. */
  private int[] runs() {
    int[] starts = new int[size + 1];
    int count = 0;
    for (int i = 0; i < size; i++) {
      if (i == 0 || compare(i - 1, i) > 0) {
        starts[count++] = i;
      }
    }
    starts[count] = size;
    return Arrays.copyOf(starts, count + 1);
  }

  private int mergePairs(int[] from, int[] to, int[] runs, int count) {
    int merged = 0;
    for (int run = 0; run < count; run += 2) {
      int middle = runs[Math.min(run + 1, count)];
      int end = runs[Math.min(run + 2, count)];
      mergeTwo(from, to, runs[run], middle, end);
      runs[merged++] = runs[run];
    }
    runs[merged] = size;
    return merged;
  }

  private void mergeTwo(int[] from, int[] to, int start, int middle, int end) {
    int left = start;
    int right = middle;
    for (int i = start; i < end; i++) {
      boolean takeLeft = right >= end || left < middle && compare(from[left], from[right]) <= 0;
      to[i] = takeLeft ? from[left++] : from[right++];
    }
  }

  private int compare(int a, int b) {
    return TimeUuid.compare(ticks[a], lsbs[a], ticks[b], lsbs[b]);
  }
}
