package hourglass.store;

import hourglass.bucketing.TimeUuid;
import java.util.List;

/**
 * A k-way merge of sorted packs of one row, over a binary heap of cursors. It copies all columns of
 * the smallest cursor below the next cursor at once.
 */
final class ColumnsMerge {
  private final Columns[] packs;
  private final int[] positions;

  /** Indexes into {@link #packs}, the smallest name at 0. */
  private final int[] heap;

  private int live;
  private final ColumnsBuilder out;

  ColumnsMerge(List<Columns> sources) {
    packs = sources.toArray(new Columns[0]);
    positions = new int[packs.length];
    heap = new int[packs.length];
    int columns = 0;
    int payloadBytes = 0;
    for (int i = 0; i < packs.length; i++) {
      columns = Math.addExact(columns, packs[i].size());
      if (packs[i].bytes().length > 0) {
        payloadBytes = Math.addExact(payloadBytes, packs[i].payloadBytes());
      }
      if (!packs[i].isEmpty()) {
        heap[live++] = i;
      }
    }
    out = new ColumnsBuilder(columns, payloadBytes);
    for (int i = live / 2 - 1; i >= 0; i--) {
      siftDown(i);
    }
  }

  Columns toColumns() {
    while (live > 1) {
      takeRun();
    }
    if (live == 1) {
      int rest = heap[0];
      out.addAll(packs[rest], positions[rest], packs[rest].size());
    }
    return out.build();
  }

  private void takeRun() {
    int smallest = heap[0];
    int second = live > 2 && compare(heap[2], heap[1]) < 0 ? heap[2] : heap[1];
    Columns pack = packs[smallest];
    int from = positions[smallest];
    int to = pack.lowerBound(ticks(second), lsb(second), from);
    out.addAll(pack, from, to);
    positions[smallest] = to;
    if (to < pack.size() && compare(smallest, second) == 0) {
      dropSmallerPayload(smallest, second);
    } else {
      restore(smallest);
    }
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
