package hourglass.store.embedded.late;

import hourglass.store.Columns;
import java.util.Arrays;

/** Ascending, disjoint runs of positions, each {@code [from, to)}. */
public final class PositionRanges {
  private int[] bounds = new int[2];
  private int size;
  private int positions;

  /** Adds a run, joined with the last one if it follows at once. */
  public void add(int from, int to) {
    int end = size == 0 ? 0 : bounds[2 * size - 1];
    if (from < end || to <= from) {
      throw new IllegalArgumentException(
          "run [" + from + ", " + to + ") does not follow " + end + " or is empty");
    }
    positions += to - from;
    if (size > 0 && from == end) {
      bounds[2 * size - 1] = to;
      return;
    }
    if (2 * size == bounds.length) {
      bounds = Arrays.copyOf(bounds, 2 * bounds.length);
    }
    bounds[2 * size] = from;
    bounds[2 * size + 1] = to;
    size++;
  }

  public int size() {
    return size;
  }

  /** The number of positions in all runs. */
  int positions() {
    return positions;
  }

  public int from(int run) {
    return bounds[2 * run];
  }

  public int to(int run) {
    return bounds[2 * run + 1];
  }

  /** The names at these positions, without payloads; a single run shares the arrays. */
  Columns namesOf(Columns columns) {
    if (size == 1) {
      return columns.subColumns(from(0), to(0)).namesOnly();
    }
    long[] ticks = new long[positions];
    long[] lsbs = new long[positions];
    int next = 0;
    for (int run = 0; run < size; run++) {
      for (int i = from(run); i < to(run); i++) {
        ticks[next] = columns.ticks(i);
        lsbs[next++] = columns.lsb(i);
      }
    }
    return Columns.ofNames(ticks, lsbs, positions);
  }
}
