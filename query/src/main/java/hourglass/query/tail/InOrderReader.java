package hourglass.query.tail;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TimeUuid;
import hourglass.query.EventCursor;
import hourglass.query.EventPosition;
import hourglass.query.EventQuery;
import hourglass.query.Gaps;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.fair.QueryThread;
import hourglass.query.scan.EventScan;
import hourglass.query.scan.EventSink;
import hourglass.query.scan.RowReader;
import hourglass.query.scan.StoreAccess;
import hourglass.store.Columns;
import hourglass.store.LateArrival;
import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import hourglass.store.Order;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;

/**
 * Reads a step of events in order, from a position up to a tick. An event whose record lies after
 * the step's late arrival place is left out, and delivered late. Used once, by one thread at a
 * time.
 */
final class InOrderReader {
  private final StoreAccess access;
  private final TailOptions tails;
  private final TailPosition start;
  private final List<TailEvent> events = new ArrayList<>();
  private final Set<EventPosition> late = new HashSet<>();
  private TailPosition end;
  private int bytes;

  InOrderReader(StoreAccess access, TailOptions tails, TailPosition start, long boundTicks) {
    this.access = access;
    this.tails = tails;
    this.start = start;
    end = start.at(TimeUuid.first(boundTicks), "");
  }

  /**
   * Reads the step. Its start may be after more records than {@code from}; the record at {@code
   * begun} was delivered in part.
   */
  CompletionStage<TailStep> read(
      TailPosition from, LateArrivalPlace begun, LateArrivalBounds bounds, boolean more) {
    TimeRange range = new TimeRange(start.name().ticks(), end.name().ticks());
    Selection all = new Selection(new TreeSet<>(), range, "");
    EventCursor after =
        new EventCursor(
            new EventPosition(start.name(), start.type()), Order.ASCENDING, all.digest(), false);
    // The page has one event more than a step, so that the scan never looks for events after it.
    EventQuery query = new EventQuery(all, Order.ASCENDING, tails.stepEvents() + 1L, after);
    // Records are read after columns, since a record exists before its columns are visible.
    EventScan scan = new EventScan(access, query);
    return access.start(
        thread -> {
          scan.forEach(this::offer, thread);
          readRecords(bounds.after(start), begun, thread);
          return new TailStep(
              from, end, inTime(), TailStep.Kind.IN_ORDER, more || isFull(), gaps(thread));
        });
  }

  private EventSink.Verdict offer(RowReader row, Columns columns, int i) {
    if (isFull()) {
      end = events.get(events.size() - 1).after();
      return EventSink.Verdict.STOP;
    }
    TailPosition after = start.at(columns.id(i), row.text().type());
    TailEvent event = TailEvent.of(row.text(), columns, i, false, after);
    events.add(event);
    bytes += event.bytes();
    return EventSink.Verdict.TAKEN;
  }

  private boolean isFull() {
    return events.size() >= tails.stepEvents() || bytes >= tails.stepBytes();
  }

  private void readRecords(LateArrivalPlace after, LateArrivalPlace begun, QueryThread thread) {
    LateArrivals found;
    LateArrivalPlace next = after;
    do {
      found = thread.await(access.store().lateArrivals(next, tails.stepEvents()));
      found.settled().forEach(record -> add(record, begun));
      found.unsettled().forEach(record -> add(record, begun));
      next = found.settledEnd();
    } while (found.more());
  }

  private void add(LateArrival record, LateArrivalPlace begun) {
    Columns columns = record.names();
    String type = record.row().type();
    // The first names of the record that was delivered in part are not due again.
    for (int i = record.place().equals(begun) ? start.names() : 0; i < columns.size(); i++) {
      TimeUuid name = columns.id(i);
      if (end.covers(name, type) && !start.covers(name, type)) {
        late.add(new EventPosition(name, type));
      }
    }
  }

  private List<TailEvent> inTime() {
    return events.stream()
        .filter(event -> !late.contains(new EventPosition(event.name(), event.row().type())))
        .toList();
  }

  /** Asked after the events were read, so that it names what was dropped meanwhile. */
  private Gaps gaps(QueryThread thread) {
    long endTicks = end.type().isEmpty() ? end.name().ticks() - 1 : end.name().ticks();
    Hour first = Hour.ofTicks(start.name().ticks());
    Hour last = Hour.ofTicks(endTicks);
    return new Gaps(
        access.store().missing(first, last), thread.await(access.store().dropped(first, last)));
  }
}
