package hourglass.store;

import hourglass.bucketing.TimeUuid;
import java.util.List;

/**
 * A k-way merge of sorted packs of one row, over a binary heap of cursors. It copies all columns of
 * the smallest cursor that are below the next cursor at once. Of two payloads under one name, the
 * larger stays. Not thread-safe.
 */
public final class ColumnsMerge {
  private final Columns[] packs;
  private final int[] positions;

  /** The indexes into {@link #packs} as a heap, with the smallest name at 0. */
  private final int[] heap;

  private int live;
  private int columnsLeft;
  private long bytesLeft;

  public ColumnsMerge(List<Columns> sources) {
    packs = sources.toArray(new Columns[0]);
    positions = new int[packs.length];
    heap = new int[packs.length];
    for (int i = 0; i < packs.length; i++) {
      columnsLeft = Math.addExact(columnsLeft, packs[i].size());
      bytesLeft += packs[i].bytes().length > 0 ? packs[i].payloadBytes() : 0;
      if (!packs[i].isEmpty()) {
        heap[live++] = i;
      }
    }
    for (int i = live / 2 - 1; i >= 0; i--) {
      siftDown(i);
    }
  }

  public boolean hasNext() {
    return live > 0;
  }

  /** Returns all columns that are left. */
  Columns rest() {
    if (bytesLeft <= Integer.MAX_VALUE) {
      Columns all = next(Integer.MAX_VALUE, Integer.MAX_VALUE);
      if (!hasNext()) {
        return all;
      }
    }
    throw new ArithmeticException("columns: more than 2 GiB together");
  }

  /** Returns as many of the next columns as both limits allow, but at least one. */
  public Columns next(int columnsMax, int bytesMax) {
    return next(columnsMax, bytesMax, builder(columnsMax, bytesMax));
  }

  /**
   * Returns columns like {@link #next(int, int)}, but in the arrays of {@code out}. They are valid
   * only until the next call with it.
   */
  public Columns next(int columnsMax, int bytesMax, ColumnsBuilder out) {
    out.clear();
    boolean isFull = false;
    while (live > 0 && !isFull) {
      isFull = !takeRun(out, columnsMax, bytesMax);
    }
    columnsLeft -= out.size();
    bytesLeft -= out.payloadBytes();
    return out.build();
  }

  /**
   * Creates a builder of about the size that the next columns need. The estimate is rough: dropped
   * payloads of equal names count as bytes left, and lengths without payloads do not.
   */
  private ColumnsBuilder builder(int columnsMax, int bytesMax) {
    if (bytesLeft <= bytesMax) {
      return new ColumnsBuilder(Math.min(columnsMax, columnsLeft), (int) Math.max(0, bytesLeft));
    }
    long columns = 1 + columnsLeft * (long) bytesMax / bytesLeft;
    return new ColumnsBuilder((int) Math.min(columnsMax, columns), bytesMax);
  }

  /** Copies columns of the smallest cursor; false if no other column fits. */
  private boolean takeRun(ColumnsBuilder out, int columnsMax, int bytesMax) {
    int smallest = heap[0];
    Columns pack = packs[smallest];
    int from = positions[smallest];
    int second = second();
    int to = second < 0 ? pack.size() : pack.lowerBound(ticks(second), lsb(second), from);
    int end = fitting(out, pack, from, to, columnsMax, bytesMax);
    out.addAll(pack, from, end);
    positions[smallest] = end;
    if (end < to) {
      return false; // and the pack's cursor is still the smallest
    }
    if (second >= 0 && to < pack.size() && compare(smallest, second) == 0) {
      dropSmallerPayload(smallest, second);
    } else {
      restore(smallest);
    }
    return true;
  }

  /** The cursor with the second smallest name; -1 if there is none. */
  private int second() {
    if (live < 2) {
      return -1;
    }
    return live > 2 && compare(heap[2], heap[1]) < 0 ? heap[2] : heap[1];
  }

  /**
   * The end of the columns of {@code [from, to)} that fit. The first column of an answer always
   * fits.
   */
  private static int fitting(
      ColumnsBuilder out, Columns pack, int from, int to, int columnsMax, int bytesMax) {
    int low = out.size() == 0 && from < to ? from + 1 : from;
    int high = Math.max(low, (int) Math.min(to, from + (long) columnsMax - out.size()));
    long bytesEnd = pack.offset(from) + (long) bytesMax - out.payloadBytes();
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (pack.offset(middle) <= bytesEnd) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  private void dropSmallerPayload(int a, int b) {
    int loser = Columns.comparePayloads(packs[a], positions[a], packs[b], positions[b]) < 0 ? a : b;
    positions[loser]++;
    restore(loser);
  }

  private void restore(int pack) {
    int at = 0;
    while (heap[at] != pack) {
      at++;
    }
    if (positions[pack] == packs[pack].size()) {
      heap[at] = heap[--live];
      if (at == live) {
        return;
      }
    }
    siftDown(at);
  }

  private void siftDown(int from) {
    int at = from;
    int moving = heap[at];
    while (2 * at + 1 < live) {
      int child = 2 * at + 1;
      if (child + 1 < live && compare(heap[child + 1], heap[child]) < 0) {
        child++;
      }
      if (compare(moving, heap[child]) <= 0) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = moving;
  }

  private int compare(int a, int b) {
    return TimeUuid.compare(ticks(a), lsb(a), ticks(b), lsb(b));
  }

  private long ticks(int pack) {
    return packs[pack].ticks(positions[pack]);
  }

  private long lsb(int pack) {
    return packs[pack].lsb(positions[pack]);
  }
}
