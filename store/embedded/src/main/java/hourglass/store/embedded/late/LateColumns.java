package hourglass.store.embedded.late;

import hourglass.store.Columns;
import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.Mutation;
import java.util.Arrays;

/**
 * The late columns of a mutation for one record, as ascending, disjoint runs {@code [from, to)}.
 */
public final class LateColumns {
  private final int number;
  private final Mutation mutation;
  private int[] bounds = new int[2];
  private int runs;
  private int columns;

  /** Creates an empty record. The number is that of the mutation in its group, from 0. */
  public LateColumns(int number, Mutation mutation) {
    this.number = number;
    this.mutation = mutation;
  }

  public void add(int from, int to) {
    int end = runs == 0 ? 0 : bounds[2 * runs - 1];
    if (from < end || to <= from) {
      throw new IllegalArgumentException(
          "run [" + from + ", " + to + ") does not follow " + end + " or is empty");
    }
    columns += to - from;
    if (runs > 0 && from == end) {
      bounds[2 * runs - 1] = to;
      return;
    }
    if (2 * runs == bounds.length) {
      bounds = Arrays.copyOf(bounds, 2 * bounds.length);
    }
    bounds[2 * runs] = from;
    bounds[2 * runs + 1] = to;
    runs++;
  }

  public int number() {
    return number;
  }

  public int runs() {
    return runs;
  }

  public int from(int run) {
    return bounds[2 * run];
  }

  public int to(int run) {
    return bounds[2 * run + 1];
  }

  int capacity() {
    return LateArrival.NAMES_MAX - columns;
  }

  /** Returns the record at a place, with names without payloads. A single run shares the arrays. */
  public LateArrival at(LateArrivalPlace place) {
    Columns all = mutation.columns();
    if (runs == 1) {
      return new LateArrival(place, mutation.row(), all.subColumns(from(0), to(0)).namesOnly());
    }
    long[] ticks = new long[columns];
    long[] lsbs = new long[columns];
    int next = 0;
    for (int run = 0; run < runs; run++) {
      for (int i = from(run); i < to(run); i++) {
        ticks[next] = all.ticks(i);
        lsbs[next++] = all.lsb(i);
      }
    }
    return new LateArrival(place, mutation.row(), Columns.ofNames(ticks, lsbs, columns));
  }
}
