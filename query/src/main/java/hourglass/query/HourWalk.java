package hourglass.query;

import hourglass.bucketing.Hour;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.WideColumnStore;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The hours of a query one after the other, the rows of each merged. While one is read, the
 * directory of the next is asked for, and its first slices when this one has none to ask for. Never
 * blocks. Used by one thread at a time.
 */
final class HourWalk {
  private final WideColumnStore store;
  private final EventQuery query;
  private final RowReaders readers;
  private final SliceWindow window;
  private final CostGuard guard;
  private final RowsAsked asked;
  private final @Nullable MissingRows missing;

  private final CompletableFuture<List<Hour>> hours;
  private @Nullable Deque<Hour> hoursLeft;

  /** The merge of the hour that is read, or will be once its rows are known. */
  private @Nullable CompletableFuture<RowMerge> current;

  /** Whether the rows of the current hour were counted. */
  private boolean counted;

  private @Nullable OpenHour next;

  /**
   * @param asked counts the rows of the hours reached
   * @param missing takes the rows that cannot be read; null: one of them fails the walk
   */
  HourWalk(
      WideColumnStore store,
      EventQuery query,
      RowReaders readers,
      SliceWindow window,
      CostGuard guard,
      RowsAsked asked,
      @Nullable MissingRows missing) {
    this.store = store;
    this.query = query;
    this.readers = readers;
    this.window = window;
    this.guard = guard;
    this.asked = asked;
    this.missing = missing;
    CompletionStage<List<Hour>> found = hours();
    CompletionStage<List<Hour>> allowed =
        query.isLimited() ? found : found.thenCompose(all -> guard.check(all, store));
    hours = allowed.toCompletableFuture();
  }

  private CompletableFuture<List<Hour>> hours() {
    TimeRange range = query.selection().range();
    if (range.isEmpty()) {
      return CompletableFuture.completedFuture(List.of());
    }
    Hour first = range.firstHour();
    Hour last = range.lastHour();
    Hour begin = query.begin();
    if (begin != null && isAscending()) {
      first = begin;
    } else if (begin != null) {
      last = begin;
    }
    // One hour need not be asked for: its directory tells whether there is anything.
    return first.equals(last)
        ? CompletableFuture.completedFuture(List.of(first))
        : store.hours(first, last).toCompletableFuture();
  }

  /**
   * Gives events to a sink; see {@link RowMerge#advance}.
   *
   * @param wanted how many it will take at most, to know what is worth fetching ahead
   */
  Progress advance(EventSink sink, long wanted) {
    while (true) {
      if (!hours.isDone()) {
        return Progress.WAITING;
      }
      CompletableFuture<RowMerge> reading = current != null ? current : open();
      if (reading == null) {
        return Progress.DONE;
      }
      if (!reading.isDone()) {
        return Progress.WAITING;
      }
      Progress progress = advance(reading.join(), sink, wanted);
      if (progress != Progress.DONE) {
        return progress;
      }
      current = null;
    }
  }

  private Progress advance(RowMerge merge, EventSink sink, long wanted) {
    if (!counted) {
      counted = true;
      merge.rows().forEach(asked::add);
    }
    if (next != null && merge.isOnLastSlices() && wanted > merge.columnsLeft()) {
      next.prepare();
    }
    return merge.advance(sink);
  }

  /** Goes to the next hour; null if there is none. To be called once the hours are known. */
  private @Nullable CompletableFuture<RowMerge> open() {
    if (hoursLeft == null) {
      hoursLeft = new ArrayDeque<>();
      hours.join().forEach(isAscending() ? hoursLeft::addLast : hoursLeft::addFirst);
      next = openNext(hoursLeft);
    }
    if (next == null) {
      return null;
    }
    current = next.start();
    counted = false;
    next = openNext(hoursLeft);
    return current;
  }

  private @Nullable OpenHour openNext(Deque<Hour> left) {
    Hour hour = left.poll();
    return hour == null
        ? null
        : new OpenHour(guard.rows(hour, store).toCompletableFuture(), rows -> merge(hour, rows));
  }

  private RowMerge merge(Hour hour, List<RowEntry> rows) {
    List<RowEntry> wanted = query.rowsOf(rows);
    guard.enter(hour, wanted);
    return new RowMerge(readers.of(wanted, query::columnsOf, window), readers, missing);
  }

  private boolean isAscending() {
    return query.order() == Order.ASCENDING;
  }

  /** What {@link #advance} waits for. */
  CompletionStage<?> awaited() {
    if (current == null) {
      return hours;
    }
    return current.isDone() ? current.join().awaited() : current;
  }

  /** Lets go of what was fetched ahead, so that a walk that rests holds only what it stands on. */
  void dropAhead() {
    if (current != null && current.isDone()) {
      current.join().dropAhead();
    }
    if (next != null) {
      next.stop();
    }
  }
}
