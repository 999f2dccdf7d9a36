package hourglass.query.tail;

import hourglass.bucketing.Hour;
import hourglass.query.encode.RowText;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.LateArrival;
import hourglass.store.Order;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.WideColumnStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Reads the events of late arrival records, one record after the other. It delivers the events that
 * the tail has passed in order; the others are still ahead in order. A name without a column in its
 * row was dropped since and is skipped. Used by one thread at a time.
 */
final class LateWalk {
  /** Columns per slice. Late names may lie far apart, among columns that arrived in time. */
  private static final int SLICE_COLUMNS = 256;

  /** A step ends after this many missing parts, so that one message has space for their names. */
  private static final int MISSING_MAX = 100;

  private final WideColumnStore store;
  private final Executor executor;
  private final TailPosition from;
  private final @Nullable TailPosition until;
  private final Deque<LateArrival> notes;
  private final int bytesMax;
  private final List<TailEvent> events = new ArrayList<>();
  private final Set<String> missing = new TreeSet<>();
  private TailPosition at;
  private int bytes;

  /**
   * @param until position to stop at, possibly in the middle of the last record; null: the end of
   *     the records
   */
  LateWalk(
      WideColumnStore store,
      Executor executor,
      TailPosition from,
      @Nullable TailPosition until,
      List<LateArrival> notes,
      int bytesMax) {
    this.store = store;
    this.executor = executor;
    this.from = from;
    this.until = until;
    this.at = from;
    this.notes = new ArrayDeque<>(notes);
    this.bytesMax = bytesMax;
  }

  CompletionStage<TailStep> run() {
    while (bytes < bytesMax && missing.size() < MISSING_MAX && skip()) {
      Hour hour = notes.element().row().hour();
      missing.addAll(store.missing(hour, hour));
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
        new TailStep(from, at, events, TailStep.Kind.LATE, true, List.copyOf(missing)));
  }

  /** Moves to the next wanted name; false if there is none. */
  private boolean skip() {
    while (!notes.isEmpty()) {
      LateArrival note = notes.element();
      while (at.names() < due(note)) {
        if (at.covers(note.names().id(at.names()), note.row().type())) {
          return true;
        }
        at = at.at(at.place(), at.names() + 1);
      }
      at = after(note, at.names());
      notes.remove();
    }
    return false;
  }

  /** The number of names of a record to deliver, including those already delivered. */
  private int due(LateArrival note) {
    return until == null || note.place().compareTo(until.place()) <= 0
        ? note.names().size()
        : until.names();
  }

  /**
   * The position behind a number of names of a record. The end of a record is always its place with
   * zero names.
   */
  private TailPosition after(LateArrival note, int names) {
    return names < note.names().size() ? at.at(at.place(), names) : at.at(note.place(), 0);
  }

  private SliceQuery query() {
    LateArrival note = notes.element();
    Columns names = note.names();
    int due = due(note);
    ColumnRange range = new ColumnRange(names.id(at.names()), names.id(due - 1).successor());
    int columnsMax = Math.min(due - at.names(), SLICE_COLUMNS);
    return new SliceQuery(note.row(), range, Order.ASCENDING, columnsMax, Projection.COLUMNS);
  }

  /** Takes the wanted columns of a slice and moves past every name that the slice covers. */
  private void take(Slice slice) {
    LateArrival note = notes.element();
    Columns names = note.names();
    int due = due(note);
    Columns columns = slice.columns();
    RowText row = new RowText(note.row().type());
    int next = at.names();
    for (int i = 0; i < columns.size() && bytes < bytesMax; i++) {
      int found = names.lowerBound(columns.ticks(i), columns.lsb(i), next);
      next = found;
      if (found < due
          && names.id(found).equals(columns.id(i))
          && from.covers(names.id(found), note.row().type())) {
        next = found + 1;
        at = at.at(at.place(), next);
        TailEvent event = TailEvent.of(row, columns, i, true, after(note, next));
        events.add(event);
        bytes += event.bytes();
      }
    }
    if (bytes >= bytesMax) {
      return;
    }
    int end = slice.more() ? names.lowerBound(columns.last().successor()) : due;
    at = at.at(at.place(), Math.max(next, end));
  }
}
