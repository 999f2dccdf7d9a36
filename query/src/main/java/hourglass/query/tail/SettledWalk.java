package hourglass.query.tail;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TimeUuid;
import hourglass.query.EventCursor;
import hourglass.query.EventQuery;
import hourglass.query.Progress;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.scan.EventScan;
import hourglass.query.scan.EventSink;
import hourglass.query.scan.RowReader;
import hourglass.query.scan.StoreAccess;
import hourglass.query.tail.NotedEvents.Named;
import hourglass.store.Columns;
import hourglass.store.Order;
import hourglass.store.WideColumnStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Reads events in order from a position up to a tick, at most one step of them. Used by one thread
 * at a time.
 */
final class SettledWalk {
  private final Executor executor;
  private final WideColumnStore store;
  private final TailPosition start;
  private final int eventsMax;
  private final int bytesMax;
  private final EventScan scan;
  private final List<TailEvent> events = new ArrayList<>();
  private TailPosition end;
  private int bytes;

  SettledWalk(StoreAccess access, TailOptions tails, TailPosition start, long boundTicks) {
    executor = access.executor();
    store = access.store();
    this.start = start;
    this.eventsMax = tails.stepEvents();
    this.bytesMax = tails.stepBytes();
    this.end = start.at(TimeUuid.first(boundTicks), "");
    TimeRange range = new TimeRange(start.name().ticks(), boundTicks);
    Selection all = new Selection(new TreeSet<>(), range, "");
    EventCursor after = new EventCursor(start.name(), start.type(), Order.ASCENDING, all.digest());
    // One more than a step, so that the scan never looks for events behind its page.
    EventQuery query = new EventQuery(all, Order.ASCENDING, eventsMax + 1L, after);
    scan = new EventScan(access, query);
  }

  CompletionStage<SettledWalk> run() {
    return scan.advance(this::offer) == Progress.WAITING
        ? scan.awaited().thenComposeAsync(answer -> run(), executor)
        : CompletableFuture.completedFuture(this);
  }

  private EventSink.Verdict offer(RowReader row, Columns columns, int i) {
    if (isFull()) {
      end = events.get(events.size() - 1).after();
      scan.cancel();
      return EventSink.Verdict.FULL;
    }
    TailPosition after = start.at(columns.id(i), row.text().type());
    TailEvent event = TailEvent.of(row.text(), columns, i, false, after);
    events.add(event);
    bytes += event.bytes();
    return EventSink.Verdict.TAKEN;
  }

  private boolean isFull() {
    return events.size() >= eventsMax || bytes >= bytesMax;
  }

  /** Whether the walk has passed the place of an event. */
  boolean passed(TimeUuid name, String type) {
    return end.covers(name, type) && !start.covers(name, type);
  }

  /**
   * The step without events that are due as late.
   *
   * @param more whether another step can follow at once even if this walk reached its end
   */
  TailStep step(TailPosition from, Set<Named> late, boolean more) {
    List<TailEvent> inTime =
        events.stream()
            .filter(event -> !late.contains(new Named(event.row().type(), event.name())))
            .toList();
    return new TailStep(from, end, inTime, TailStep.Kind.IN_ORDER, more || isFull(), missing());
  }

  /** The data that the store lacks in the hours of the walk. */
  private List<String> missing() {
    long endTicks = end.type().isEmpty() ? end.name().ticks() - 1 : end.name().ticks();
    return store.missing(Hour.ofTicks(start.name().ticks()), Hour.ofTicks(endTicks));
  }
}
