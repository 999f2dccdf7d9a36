package hourglass.query.scan;

import hourglass.query.fair.QueryThread;
import hourglass.query.scan.EventSink.Verdict;
import hourglass.store.Columns;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.SliceQuery.Projection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * A k-way merge of the rows of one hour by (name, type), over a binary heap. A reader opens
 * slightly before its row is reached, so that successive rows are not all open. Equal names in two
 * shards of one type are one event, written twice while the number of shards changed; the larger
 * payload wins. Used by one thread at a time.
 */
public final class RowMerge {
  /** The readers at an event, the earliest on top. */
  private RowReader[] heap = new RowReader[16];

  private int live;

  private final RowsAhead ahead;
  private final int slices;

  /** The readers that wait for a slice. The next event is unknown until this is empty. */
  private final Queue<RowReader> loading = new ArrayDeque<>();

  private final List<RowReader> duplicates = new ArrayList<>();
  private final boolean namesOnly;
  private final AnswerRows answerRows;
  private boolean sawDuplicates;
  private boolean sawUnclearDuplicates;

  /** Whether the first slices of the earliest rows are in memory. */
  private boolean begun;

  /** Opens the first rows; {@code aheadMax} is at least 1. */
  RowMerge(
      List<RowEntry> rows,
      Function<RowEntry, RowReader> toReader,
      Order order,
      Projection projection,
      int aheadMax,
      int slices,
      AnswerRows answerRows) {
    this.slices = slices;
    this.answerRows = answerRows;
    namesOnly = projection == Projection.NAMES;
    ahead = RowsAhead.of(rows, toReader, order, aheadMax);
  }

  int slices() {
    return slices;
  }

  private boolean takeDue() {
    if (live > 0 ? heap[0].sortTicks < ahead.dueTicks() : ahead.isEmpty()) {
      return false;
    }
    ahead.moveDue(live > 0 ? heap[0].sortTicks : ahead.dueTicks(), loading, begun);
    return true;
  }

  /**
   * Delivers events to {@code sink}, and waits for their slices. Returns false if the sink stopped.
   *
   * @param loaded called before the first event, and whenever a slice was loaded
   */
  boolean forEach(EventSink sink, QueryThread thread, Runnable loaded) {
    load(thread);
    loaded.run();
    while (live > 0) {
      RowReader top = heap[0];
      Verdict verdict = hasDuplicate(top) ? offerDuplicates(sink) : offer(top, sink);
      if (verdict == Verdict.STOP) {
        return false;
      }
      if (verdict == Verdict.AGAIN) {
        rewind();
      }
      if (load(thread)) {
        loaded.run();
      }
    }
    return true;
  }

  private Verdict offer(RowReader top, EventSink sink) {
    Verdict verdict = sink.offer(top, top.columns(), top.at());
    if (verdict == Verdict.AGAIN) {
      return verdict;
    }
    if (top.step()) {
      siftDown(0);
    } else {
      removeTop();
      loading.add(top);
    }
    return verdict;
  }

  /** Drops all columns that were not delivered, so that they are read again. */
  private void rewind() {
    for (; live > 0; live--) {
      RowReader reader = heap[live - 1];
      reader.rewind();
      loading.add(reader);
    }
    ahead.dropSlices();
  }

  public boolean sawDuplicates() {
    return sawDuplicates;
  }

  /** Whether a merge of names dropped a duplicate without knowing which payload is larger. */
  public boolean sawUnclearDuplicates() {
    return sawUnclearDuplicates;
  }

  boolean isOnLastSlices() {
    if (!ahead.isEmpty()) {
      return false;
    }
    for (int i = 0; i < live; i++) {
      if (!heap[i].isOnLastSlice()) {
        return false;
      }
    }
    return loading.isEmpty();
  }

  /** The number of columns in memory that are not delivered yet, without those fetched ahead. */
  long columnsLeft() {
    long left = 0;
    for (int i = 0; i < live; i++) {
      left += heap[i].columnsLeft();
    }
    return left;
  }

  /** The parts that are read of the rows that have begun and not ended, added up. */
  double partsRead() {
    double parts = 0;
    for (int i = 0; i < live; i++) {
      parts += heap[i].partRead();
    }
    for (RowReader reader : loading) {
      parts += reader.partRead();
    }
    return parts;
  }

  void dropAhead() {
    for (int i = 0; i < live; i++) {
      heap[i].dropAhead();
    }
    ahead.dropSlices();
  }

  /** Loads every reader that may hold the next event. Returns whether there was one to load. */
  private boolean load(QueryThread thread) {
    boolean loads = false;
    while (!loading.isEmpty() || takeDue()) {
      loads = true;
      loadTaken(thread);
    }
    return loads;
  }

  /** Moves the readers in {@link #loading} to the heap. */
  private void loadTaken(QueryThread thread) {
    for (RowReader reader = loading.peek(); reader != null; reader = loading.peek()) {
      boolean isReady = load(reader, thread);
      loading.remove();
      if (isReady) {
        push(reader);
        if (begun) {
          reader.fetchAhead();
        }
      }
    }
    if (!begun && live > 0) {
      begun = true;
      // Second slices are not fetched sooner, since they would delay the first slices of other
      // rows.
      for (int i = 0; i < live; i++) {
        heap[i].fetchAhead();
      }
    }
  }

  private boolean load(RowReader reader, QueryThread thread) {
    try {
      if (reader.load(thread)) {
        return true;
      }
      answerRows.addAnswered(1);
    } catch (CompletionException e) {
      if (!answerRows.mayMiss(reader.row(), e)) {
        throw e;
      }
      reader.giveUp();
    }
    return false;
  }

  /**
   * Whether another row contains the event on top. In a heap, the next event is one of the two
   * children of the top, and so is a duplicate.
   */
  private boolean hasDuplicate(RowReader top) {
    return live > 1 && (heap[1].isDuplicateOf(top) || (live > 2 && heap[2].isDuplicateOf(top)));
  }

  private Verdict offerDuplicates(EventSink sink) {
    sawDuplicates = true;
    RowReader first = heap[0];
    RowReader best = first;
    while (live > 0 && heap[0].isDuplicateOf(first)) {
      RowReader duplicate = heap[0];
      removeTop();
      duplicates.add(duplicate);
      best = isLarger(duplicate, best) ? duplicate : best;
    }
    Verdict verdict = sink.offer(best, best.columns(), best.at());
    for (RowReader duplicate : duplicates) {
      if (verdict == Verdict.AGAIN || duplicate.step()) {
        push(duplicate);
      } else {
        loading.add(duplicate);
      }
    }
    duplicates.clear();
    return verdict;
  }

  private boolean isLarger(RowReader a, RowReader b) {
    sawUnclearDuplicates |= namesOnly && a.columns().length(a.at()) != b.columns().length(b.at());
    return Columns.comparePayloads(a.columns(), a.at(), b.columns(), b.at()) > 0;
  }

  private void push(RowReader reader) {
    if (live == heap.length) {
      heap = Arrays.copyOf(heap, 2 * live);
    }
    int at = live++;
    while (at > 0 && reader.isBefore(heap[(at - 1) >>> 1])) {
      heap[at] = heap[(at - 1) >>> 1];
      at = (at - 1) >>> 1;
    }
    heap[at] = reader;
  }

  private void removeTop() {
    heap[0] = heap[--live];
    if (live > 0) {
      siftDown(0);
    }
  }

  private void siftDown(int from) {
    int at = from;
    RowReader moving = heap[at];
    while (2 * at + 1 < live) {
      int child = 2 * at + 1;
      if (child + 1 < live && heap[child + 1].isBefore(heap[child])) {
        child++;
      }
      if (!heap[child].isBefore(moving)) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = moving;
  }
}
