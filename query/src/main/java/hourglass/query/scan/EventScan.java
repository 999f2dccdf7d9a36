package hourglass.query.scan;

import hourglass.bucketing.RowKey;
import hourglass.query.AnswerFacts;
import hourglass.query.BadParameterException;
import hourglass.query.EventCursor;
import hourglass.query.EventPosition;
import hourglass.query.EventQuery;
import hourglass.query.Gaps;
import hourglass.query.QueryOptions;
import hourglass.query.TooCostlyException;
import hourglass.query.fair.QueryThread;
import hourglass.store.FieldFilter;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.WideColumnStore;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** One run of an {@link EventQuery}. Used by one thread at a time. */
public final class EventScan {
  private final EventQuery query;
  private final WideColumnStore store;
  private final SliceWindow window;
  private final CostGuard guard;
  private final HourWalk walk;
  private final AnswerRows answerRows;
  private final EventPage page;

  /** The erasures as of which the slices in memory were read; null before the first. */
  private @Nullable Object erasureMark;

  /** Throws {@link BadParameterException} if the selection's expression is invalid. */
  public EventScan(StoreAccess access, EventQuery query) {
    this(access, query, new AnswerRows(query.partial()));
  }

  EventScan(StoreAccess access, EventQuery query, AnswerRows answerRows) {
    QueryOptions options = access.options();
    this.query = query;
    store = access.store();
    this.answerRows = answerRows;
    EventFilter filter = EventFilter.of(query.selection(), access.gone());
    page = new EventPage(query, filter, options.lookAheadColumns());
    SlicePrefilter prefilter = SlicePrefilter.of(filter, access.lane());
    window = new SliceWindow(access.source(), prefilter, access.reads(), options.fanOut());
    // The center of a page around an event is answered even if it does not match.
    FieldFilter inStore = filter == null || query.around() != null ? null : filter.fields();
    RowReaders readers =
        new RowReaders(
            options,
            query.order(),
            Projection.COLUMNS,
            page.columnsWanted(),
            inStore,
            !query.isLimited());
    guard = new CostGuard(query, options, window::bytesWalked);
    walk = new HourWalk(access, query, readers, window, guard, answerRows);
  }

  /**
   * Delivers the events to {@code out}, and waits for the store.
   *
   * @throws java.util.concurrent.CompletionException if the store failed, or the query exceeds its
   *     bounds
   * @throws TooCostlyException if the scan has read too much
   * @throws CancellationException once the query is gone
   */
  public void forEach(EventSink out, QueryThread thread) {
    erasureMark = thread.await(store.erasureMark());
    try {
      walk.forEach(
          (row, columns, i) -> {
            if (thread.worked(columns.length(i))) {
              guard.checkRead();
              if (mustReadAgain(thread)) {
                return EventSink.Verdict.AGAIN;
              }
            }
            return page.offer(out, row, columns, i);
          },
          page::columnsWanted,
          thread);
    } finally {
      window.cancel();
    }
  }

  /**
   * Returns whether events were erased since those in memory were read, and drops what was read
   * ahead then. The caller answers {@link EventSink.Verdict#AGAIN} if so. Ask after each wait.
   */
  public boolean mustReadAgain(QueryThread thread) {
    Object now = thread.await(store.erasureMark());
    if (now == erasureMark) {
      return false;
    }
    erasureMark = now;
    walk.dropAhead();
    return true;
  }

  /** Returns the facts of the answer, after {@link #forEach}. Waits for the store. */
  public AnswerFacts facts(QueryThread thread) {
    Gaps gaps = thread.await(query.selection().gapsOf(store));
    EventQuery.Around around = query.around();
    return new AnswerFacts(
        rowsAsked(),
        answerRows.missing(),
        gaps,
        !isPartial() && gaps.missing().isEmpty(),
        next(),
        around == null ? null : around.previous());
  }

  /** The pages after one with missing rows do not return the events of these rows. */
  private boolean isPartial() {
    List<RowKey> missing = answerRows.missing();
    EventCursor after = query.after();
    return (missing != null && !missing.isEmpty()) || (after != null && after.partial());
  }

  /** Returns the cursor of the next page; null if nothing follows. */
  @Nullable String next() {
    return page.next(isPartial());
  }

  /**
   * The number of rows that are asked for. It includes rows of other scans whose hours they have
   * reached.
   */
  public long rowsAsked() {
    return answerRows.asked();
  }

  /**
   * The number of rows that are read, without missing rows. The parts of rows that are read add up,
   * rounded down.
   */
  public long rowsAnswered() {
    return answerRows.answered() + (long) walk.partsRead();
  }

  long emitted() {
    return page.emitted();
  }

  /** Returns the position of the last delivered event; null if none was delivered. */
  @Nullable EventPosition last() {
    return page.last();
  }

  public boolean hasFound() {
    return page.hasFilter() && page.emitted() > 0;
  }

  public void dropAhead() {
    walk.dropAhead();
  }
}
