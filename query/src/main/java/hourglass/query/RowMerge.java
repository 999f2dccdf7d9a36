package hourglass.query;

import hourglass.store.Columns;
import hourglass.store.Order;
import hourglass.store.SliceQuery.Projection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The k-way merge of the rows of an hour by (name, type), over a binary heap of walks. A walk is
 * opened when the merge comes to where the directory has its row begin, or somewhat ahead, so rows
 * that lie one after the other are not all open at once. Where one name comes from two shards of
 * one type, it is one event that was written twice while the number of shards changed: the larger
 * payload stays. Used by one thread at a time.
 */
final class RowMerge implements EventSource {
  private final RowReader[] heap;
  private int live;

  /** Walks that are not open, those that begin first in front. */
  private final Queue<RowReader> closed;

  /** Walks that were opened before the merge came to where they begin, in the same order. */
  private final Queue<RowReader> ahead = new ArrayDeque<>();

  private final int aheadMax;
  private final int slices;

  /** Where the first of them begins; beyond all if there is none. */
  private long dueTicks;

  /** Walks that wait for a slice; as long as there is one, the next event is not known. */
  private final Queue<RowReader> loading = new ArrayDeque<>();

  private final List<RowReader> twins = new ArrayList<>();
  private final boolean namesOnly;
  private final @Nullable MissingRows missing;
  private boolean sawTwins;
  private boolean sawUnclearTwins;

  /** Whether the first slices of the walks that begin first are there. */
  private boolean begun;

  /**
   * @param readers sorted by row, as the directory has them
   * @param aheadMax so many are opened before the merge comes to where they begin, at least 1
   * @param slices so many of them are to be under way at a time
   * @param missing takes the rows that cannot be read, which end there; null: one of them fails the
   *     merge
   */
  RowMerge(
      List<RowReader> readers,
      Order order,
      Projection projection,
      int aheadMax,
      int slices,
      @Nullable MissingRows missing) {
    this.aheadMax = aheadMax;
    this.slices = slices;
    this.missing = missing;
    namesOnly = projection == Projection.NAMES;
    heap = new RowReader[readers.size()];
    int typeRank = 0;
    for (int i = 0; i < readers.size(); i++) {
      RowReader reader = readers.get(i);
      if (i > 0 && !reader.text().type().equals(readers.get(i - 1).text().type())) {
        typeRank++;
      }
      reader.rank = order == Order.ASCENDING ? i : -i;
      reader.typeRank = typeRank;
    }
    closed = new ArrayDeque<>(sortedByBegin(readers));
    openAhead();
  }

  private static List<RowReader> sortedByBegin(List<RowReader> readers) {
    return readers.stream().sorted(Comparator.comparingLong(RowReader::beginTicks)).toList();
  }

  /** How many slices are to be under way while it is read. */
  int slices() {
    return slices;
  }

  /** Opens walks before they are needed: the store works on them side by side. */
  private void openAhead() {
    while (ahead.size() < aheadMax && !closed.isEmpty()) {
      RowReader reader = closed.remove();
      if (begun) {
        reader.beginLarge(); // nobody waits for it yet
      }
      reader.fetch();
      ahead.add(reader);
    }
    dueTicks = ahead.isEmpty() ? Long.MAX_VALUE : ahead.element().beginTicks();
  }

  /** Takes in every walk that may have the next event; false if all of those are. */
  private boolean takeDue() {
    if (live > 0 ? heap[0].sortTicks < dueTicks : ahead.isEmpty()) {
      return false;
    }
    long upTo = live > 0 ? heap[0].sortTicks : dueTicks;
    while (dueTicks <= upTo && !ahead.isEmpty()) {
      RowReader due = ahead.remove();
      due.fetch(); // what was dropped comes back side by side
      loading.add(due);
      openAhead();
    }
    return true;
  }

  /**
   * Gives events to a sink until it is full or has enough, a slice is missing, or all was given.
   *
   * @return ENOUGH after STOP
   */
  @Override
  public Progress advance(EventSink sink) {
    while (load()) {
      if (live == 0) {
        return Progress.DONE;
      }
      RowReader top = heap[0];
      EventSink.Verdict verdict = hasTwin(top) ? offerTwins(sink) : offer(top, sink);
      if (verdict != EventSink.Verdict.TAKEN) {
        return verdict == EventSink.Verdict.FULL ? Progress.FULL : Progress.ENOUGH;
      }
    }
    return Progress.WAITING;
  }

  private EventSink.Verdict offer(RowReader top, EventSink sink) {
    EventSink.Verdict verdict = sink.offer(top, top.columns(), top.at());
    if (verdict == EventSink.Verdict.TAKEN) {
      if (top.step()) {
        siftDown(0);
      } else {
        removeTop();
        loading.add(top);
      }
    }
    return verdict;
  }

  /** Whether a name was in several rows. */
  boolean sawTwins() {
    return sawTwins;
  }

  /** Whether a merge of names dropped one without knowing which payload is the larger. */
  boolean sawUnclearTwins() {
    return sawUnclearTwins;
  }

  @Override
  public CompletionStage<?> awaited() {
    RowReader first = loading.peek();
    CompletableFuture<?> slice = first == null ? null : first.awaited();
    return slice == null ? CompletableFuture.completedFuture(null) : slice;
  }

  /** Whether every row has sent its last slice. */
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

  /** The columns in memory that are still to come. */
  long columnsLeft() {
    long left = 0;
    for (int i = 0; i < live; i++) {
      left += heap[i].columnsLeft();
    }
    return left;
  }

  /** Lets go of the slices that were fetched ahead. */
  void dropAhead() {
    for (int i = 0; i < live; i++) {
      heap[i].dropAhead();
    }
    ahead.forEach(RowReader::dropAhead);
  }

  /** Puts every walk that may have the next event into the heap; false if one has no slice yet. */
  boolean load() {
    do {
      if (!loadTaken()) {
        return false;
      }
    } while (takeDue());
    return true;
  }

  /** Puts every walk that was taken in into the heap; false if one has no slice yet. */
  private boolean loadTaken() {
    while (!loading.isEmpty()) {
      RowReader reader = loading.element();
      switch (load(reader)) {
        case READY -> {
          loading.remove();
          push(reader);
          if (begun) {
            reader.fetchAhead();
          }
        }
        case ENDED -> loading.remove();
        case WAITING -> {
          return false;
        }
      }
    }
    if (!begun && live > 0) {
      begun = true;
      // Not sooner: second slices would be in the way of the first ones that are still to come.
      for (int i = 0; i < live; i++) {
        heap[i].fetchAhead();
      }
    }
    return true;
  }

  private RowReader.State load(RowReader reader) {
    try {
      return reader.load();
    } catch (CompletionException e) {
      if (missing == null || !missing.takes(reader.row(), e)) {
        throw e;
      }
      reader.giveUp();
      return RowReader.State.ENDED;
    }
  }

  /** The event after the top is one of its two children, so a twin is. */
  private boolean hasTwin(RowReader top) {
    return live > 1 && (heap[1].isTwinOf(top) || (live > 2 && heap[2].isTwinOf(top)));
  }

  private EventSink.Verdict offerTwins(EventSink sink) {
    sawTwins = true;
    RowReader first = heap[0];
    RowReader best = first;
    while (live > 0 && heap[0].isTwinOf(first)) {
      RowReader twin = heap[0];
      removeTop();
      twins.add(twin);
      best = isLarger(twin, best) ? twin : best;
    }
    EventSink.Verdict verdict = sink.offer(best, best.columns(), best.at());
    for (RowReader twin : twins) {
      if (verdict != EventSink.Verdict.TAKEN || twin.step()) {
        push(twin);
      } else {
        loading.add(twin);
      }
    }
    twins.clear();
    return verdict;
  }

  private boolean isLarger(RowReader a, RowReader b) {
    Columns as = a.columns();
    Columns bs = b.columns();
    int aFrom = as.offset(a.at());
    int bFrom = bs.offset(b.at());
    int aLength = as.length(a.at());
    int bLength = bs.length(b.at());
    if (namesOnly) {
      sawUnclearTwins |= aLength != bLength;
      return aLength > bLength;
    }
    return Arrays.compareUnsigned(
            as.bytes(), aFrom, aFrom + aLength, bs.bytes(), bFrom, bFrom + bLength)
        > 0;
  }

  private void push(RowReader reader) {
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
