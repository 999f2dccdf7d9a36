package hourglass.query;

import hourglass.store.Arrival;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.Order;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.WideColumnStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Reads the events of notes, one note after the other: those that a tail has passed in order. The
 * others are yet to come there. What is not in its row any more was dropped since. Used by one
 * thread at a time.
 */
final class LateWalk {
  /** Names may lie far apart, with others between them that came in time. */
  private static final int SLICE_COLUMNS = 256;

  private final WideColumnStore store;
  private final Executor executor;
  private final TailPosition from;
  private final Deque<Arrival> notes;
  private final int bytesMax;
  private final List<TailEvent> events = new ArrayList<>();
  private TailPosition at;
  private int bytes;

  LateWalk(
      WideColumnStore store,
      Executor executor,
      TailPosition from,
      List<Arrival> notes,
      int bytesMax) {
    this.store = store;
    this.executor = executor;
    this.from = from;
    this.at = from;
    this.notes = new ArrayDeque<>(notes);
    this.bytesMax = bytesMax;
  }

  CompletionStage<TailStep> run() {
    while (bytes < bytesMax && skip()) {
      CompletionStage<Slice> slice = store.slice(query());
      if (!slice.toCompletableFuture().isDone()) {
        return slice.thenComposeAsync(
            answer -> {
              take(answer);
              return run();
            },
            executor);
      }
      take(slice.toCompletableFuture().join());
    }
    return CompletableFuture.completedFuture(
        new TailStep(from, at, events, TailStep.Kind.LATE, true));
  }

  /** Goes to the next name that is wanted; false if there is none. */
  private boolean skip() {
    while (!notes.isEmpty()) {
      Arrival note = notes.element();
      while (at.names() < note.names().size()) {
        if (at.covers(note.names().id(at.names()), note.row().type())) {
          return true;
        }
        at = at.at(at.place(), at.names() + 1);
      }
      at = at.at(note.place(), 0);
      notes.remove();
    }
    return false;
  }

  private SliceQuery query() {
    Arrival note = notes.element();
    ColumnRange range =
        new ColumnRange(note.names().id(at.names()), note.names().last().successor());
    int left = note.names().size() - at.names();
    int columnsMax = Math.min(left, SLICE_COLUMNS);
    return new SliceQuery(note.row(), range, Order.ASCENDING, columnsMax, Projection.COLUMNS);
  }

  /** Takes what is wanted of a slice, and goes behind all that the slice could have had. */
  private void take(Slice slice) {
    Arrival note = notes.element();
    Columns names = note.names();
    Columns columns = slice.columns();
    RowText row = new RowText(note.row().type());
    int next = at.names();
    for (int i = 0; i < columns.size() && bytes < bytesMax; i++) {
      int found = names.lowerBound(columns.ticks(i), columns.lsb(i), next);
      next = found;
      if (found < names.size()
          && names.id(found).equals(columns.id(i))
          && from.covers(names.id(found), note.row().type())) {
        next = found + 1;
        at = at.at(at.place(), next);
        // The end of a note is said by its place, which any reader can tell from one it never had.
        TailPosition after = next == names.size() ? at.at(note.place(), 0) : at;
        TailEvent event = TailEvent.of(row, columns, i, true, after);
        events.add(event);
        bytes += event.bytes();
      }
    }
    if (bytes >= bytesMax) {
      return;
    }
    int end = slice.more() ? names.lowerBound(columns.last().successor()) : names.size();
    at = at.at(at.place(), Math.max(next, end));
  }
}
