package hourglass.query.tail;

import hourglass.bucketing.Hour;
import hourglass.query.Gaps;
import hourglass.query.encode.RowText;
import hourglass.query.scan.StoreAccess;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.DroppedHours;
import hourglass.store.LateArrival;
import hourglass.store.Order;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Reads the events of late arrival records that the tail has passed; the tail will reach the others
 * in order. A name without a column was dropped since. Used by one thread at a time.
 */
final class LateArrivalReader {
  /**
   * The most columns of a slice. Late names may lie far apart, among columns that arrived in time.
   */
  private static final int SLICE_COLUMNS = 256;

  /** The most missing parts whose names fit into one message. */
  private static final int MISSING_MAX = 100;

  private final StoreAccess access;
  private final TailPosition from;
  private final @Nullable TailPosition until;
  private final Deque<LateArrival> records;
  private final int bytesMax;
  private final List<TailEvent> events = new ArrayList<>();
  private final Set<String> missing = new TreeSet<>();

  /** The hours of records of which an event was not found. */
  private final TreeSet<Hour> lacking = new TreeSet<>();

  private TailPosition at;
  private int bytes;

  /**
   * The reader stops at {@code until}, possibly in the middle of the last record; if it is null, at
   * the end of the records.
   */
  LateArrivalReader(
      StoreAccess access,
      TailPosition from,
      @Nullable TailPosition until,
      List<LateArrival> records,
      int bytesMax) {
    this.access = access;
    this.from = from;
    this.until = until;
    this.at = from;
    this.records = new ArrayDeque<>(records);
    this.bytesMax = bytesMax;
  }

  CompletionStage<TailStep> run() {
    while (bytes < bytesMax && missing.size() < MISSING_MAX && skip()) {
      Hour hour = records.element().row().hour();
      missing.addAll(access.store().missing(hour, hour));
      CompletionStage<Slice> slice = access.store().slice(query());
      if (!slice.toCompletableFuture().isDone()) {
        return slice.thenComposeAsync(
            answer -> {
              take(answer);
              return run();
            },
            access.lane());
      }
      take(slice.toCompletableFuture().join());
    }
    return dropped()
        .thenApply(
            dropped ->
                new TailStep(
                    from,
                    at,
                    events,
                    TailStep.Kind.LATE,
                    true,
                    new Gaps(List.copyOf(missing), dropped)));
  }

  /** Returns the dropped hours of those that lack events of their records. */
  private CompletionStage<DroppedHours> dropped() {
    if (lacking.isEmpty()) {
      return CompletableFuture.completedFuture(DroppedHours.NONE);
    }
    return access
        .store()
        .dropped(lacking.first(), lacking.last())
        .thenApply(
            all ->
                DroppedHours.union(lacking.stream().map(hour -> all.within(hour, hour)).toList()));
  }

  private boolean skip() {
    while (!records.isEmpty()) {
      LateArrival record = records.element();
      while (at.names() < due(record)) {
        if (at.covers(record.names().id(at.names()), record.row().type())) {
          return true;
        }
        at = at.at(at.place(), at.names() + 1);
      }
      at = after(record, at.names());
      records.remove();
    }
    return false;
  }

  /**
   * The number of names of a record that this reader delivers, including those that are already
   * delivered.
   */
  private int due(LateArrival record) {
    return until == null || record.place().compareTo(until.place()) <= 0
        ? record.names().size()
        : until.names();
  }

  /**
   * Returns the position after some names of a record. The end of a record is always its place with
   * zero names.
   */
  private TailPosition after(LateArrival record, int names) {
    return names < record.names().size() ? at.at(at.place(), names) : at.at(record.place(), 0);
  }

  private SliceQuery query() {
    LateArrival record = records.element();
    Columns names = record.names();
    int due = due(record);
    ColumnRange range = new ColumnRange(names.id(at.names()), names.id(due - 1).successor());
    int columnsMax = Math.min(due - at.names(), SLICE_COLUMNS);
    return new SliceQuery(record.row(), range, Order.ASCENDING, columnsMax, Projection.COLUMNS);
  }

  /** Delivers the events of a slice, and moves past every name that it covers. */
  private void take(Slice slice) {
    LateArrival record = records.element();
    Columns names = record.names();
    int due = due(record);
    Columns columns = slice.columns();
    RowText row = new RowText(record.row().type());
    int next = at.names();
    for (int i = 0; i < columns.size() && bytes < bytesMax; i++) {
      int found = names.lowerBound(columns.ticks(i), columns.lsb(i), next);
      next = found;
      if (found < due
          && names.id(found).equals(columns.id(i))
          && from.covers(names.id(found), record.row().type())) {
        next = found + 1;
        at = at.at(at.place(), next);
        TailEvent event = TailEvent.of(row, columns, i, true, after(record, next));
        events.add(event);
        bytes += event.bytes();
      }
    }
    if (bytes >= bytesMax) {
      return;
    }
    if (!slice.more() && next < due) {
      lacking.add(record.row().hour());
    }
    int end = slice.more() ? names.lowerBound(columns.last().successor()) : due;
    at = at.at(at.place(), Math.max(next, end));
  }
}
