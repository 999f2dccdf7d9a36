package hourglass.query.scan;

import hourglass.bucketing.TimeUuid;
import hourglass.query.EventCursor;
import hourglass.query.EventPosition;
import hourglass.query.EventQuery;
import hourglass.query.encode.RowText;
import hourglass.store.Columns;
import org.jspecify.annotations.Nullable;

/**
 * The page of events that answers a query. It takes those that pass the filter up to the limit, and
 * shows whether more follow. Used by one thread at a time.
 */
final class EventPage {
  private final EventQuery query;
  private final @Nullable EventFilter filter;

  /** The most columns that are read behind a full page to find out whether more follow. */
  private final int lookAheadColumns;

  private long readBehindPage;
  private long emitted;
  private boolean follows;

  /** The row of the last event that was delivered, null before the first, and the event's name. */
  private @Nullable RowText lastRow;

  private long lastTicks;
  private long lastLsb;

  EventPage(EventQuery query, @Nullable EventFilter filter, int lookAheadColumns) {
    this.query = query;
    this.filter = filter;
    this.lookAheadColumns = lookAheadColumns;
  }

  /** Passes on an event if it belongs to the page. Returns STOP once nothing more is needed. */
  EventSink.Verdict offer(EventSink out, RowReader row, Columns columns, int i) {
    if (filter != null
        && !row.isTakenBy(filter, i)
        && !query.isAround(row.text().type(), columns, i)) {
      return emitted < query.limit() || ++readBehindPage <= lookAheadColumns
          ? EventSink.Verdict.TAKEN
          : more();
    }
    if (emitted == query.limit()) {
      return more();
    }
    EventSink.Verdict verdict = out.offer(row, columns, i);
    if (verdict == EventSink.Verdict.TAKEN) {
      emitted++;
      lastRow = row.text();
      lastTicks = columns.ticks(i);
      lastLsb = columns.lsb(i);
    }
    return verdict;
  }

  private EventSink.Verdict more() {
    follows = true;
    return EventSink.Verdict.STOP;
  }

  /** The most columns that the page still needs, with one that shows whether more follow. */
  long columnsWanted() {
    return filter == null && query.isLimited() ? query.limit() - emitted + 1 : Long.MAX_VALUE;
  }

  /** The number of delivered events. */
  long emitted() {
    return emitted;
  }

  boolean hasFilter() {
    return filter != null;
  }

  /** Returns the position of the last delivered event; null if none was delivered. */
  @Nullable EventPosition last() {
    return lastRow == null
        ? null
        : new EventPosition(new TimeUuid(lastTicks, lastLsb), lastRow.type());
  }

  /** Returns the cursor of the next page; null if nothing follows this one. */
  @Nullable String next(boolean partial) {
    EventPosition last = last();
    return !follows || last == null
        ? null
        : new EventCursor(last, query.order(), query.selection().digest(), partial).encode();
  }
}
