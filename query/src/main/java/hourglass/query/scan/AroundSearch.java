package hourglass.query.scan;

import hourglass.query.AroundQuery;
import hourglass.query.BadParameterException;
import hourglass.query.EventCursor;
import hourglass.query.EventPosition;
import hourglass.query.EventQuery;
import hourglass.query.NoSuchEventException;
import hourglass.query.fair.QueryThread;
import java.util.Collection;
import java.util.Map;
import java.util.TreeSet;

/**
 * Finds the first event of a page around an event, by a backward scan that only counts. The page is
 * then read like any other. Events that arrive between the two scans leave less space at its end.
 */
public final class AroundSearch {
  private final AroundQuery query;
  private final StoreAccess access;

  /** The rows of both scans. The backward scan and the page share hours. */
  private final AnswerRows answerRows = AnswerRows.ofSeveralScans();

  public AroundSearch(AroundQuery query, StoreAccess access) {
    this.query = query;
    this.access = access;
  }

  /**
   * Searches for the first event, and returns the scan of the page.
   *
   * @throws NoSuchEventException if there is no such event
   * @throws BadParameterException if several types have it
   */
  public EventScan run(QueryThread thread) {
    Map<String, byte[]> found = EventLookup.find(query.id(), new TreeSet<>(), access, thread);
    EventPosition center = new EventPosition(query.id(), typeOf(found.keySet()));
    EventQuery backwards =
        new EventQuery(
            query.selection(), query.backwards(), Math.max(1, query.before()), cursor(center));
    EventScan scan = new EventScan(access, backwards, answerRows);
    scan.forEach(EventSink.NONE, thread);
    return new EventScan(access, page(center, scan), answerRows);
  }

  private String typeOf(Collection<String> types) {
    if (types.isEmpty()) {
      throw new NoSuchEventException("around: there is no event " + query.id());
    }
    TreeSet<String> wanted = new TreeSet<>(types);
    if (types.size() > 1) {
      wanted.retainAll(query.selection().types());
    }
    if (wanted.size() != 1) {
      throw new BadParameterException(
          "around: events of several types have this id; want type to be one of "
              + EventLookup.names(types));
    }
    return wanted.first();
  }

  private EventCursor cursor(EventPosition center) {
    return new EventCursor(center, query.backwards(), query.selection().digest(), false);
  }

  private EventQuery page(EventPosition center, EventScan walked) {
    boolean isFirst = query.before() == 0;
    EventPosition last = walked.last();
    EventQuery.Around around =
        isFirst || last == null
            ? new EventQuery.Around(center, center, last == null ? null : cursor(center).encode())
            : new EventQuery.Around(center, last, walked.next());
    long limit = (isFirst ? 0 : walked.emitted()) + 1 + query.after();
    return new EventQuery(query.selection(), query.order(), limit, null, false, around);
  }
}
