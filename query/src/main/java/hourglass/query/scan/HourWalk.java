package hourglass.query.scan;

import hourglass.bucketing.Hour;
import hourglass.query.EventQuery;
import hourglass.query.Plan;
import hourglass.query.Progress;
import hourglass.query.TimeRange;
import hourglass.store.Order;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the hours of a query in order and merges the rows of each. {@link HourPrefetcher} requests
 * later hours ahead. Never blocks. Used by one thread at a time.
 */
final class HourWalk {
  private final StoreAccess access;
  private final EventQuery query;
  private final RowReaders readers;
  private final SliceWindow window;
  private final CostGuard guard;
  private final RowsAsked asked;
  private final @Nullable MissingRows missing;
  private final HourPrefetcher ahead;
  private final HeldBytes held;

  private final CompletableFuture<List<Hour>> hours;
  private @Nullable Deque<Hour> hoursLeft;

  private @Nullable Reading current;

  /** The current hour, and the merge of its rows once its directory is known. */
  private record Reading(HourScan hour, CompletableFuture<RowMerge> merge) {}

  /** Whether the current hour is counted and the hours after it are planned. */
  private boolean entered;

  /**
   * @param asked counts the rows of the hours reached
   * @param missing records unreadable rows; null: an unreadable row fails the walk
   */
  HourWalk(
      StoreAccess access,
      EventQuery query,
      RowReaders readers,
      SliceWindow window,
      CostGuard guard,
      RowsAsked asked,
      @Nullable MissingRows missing) {
    this.access = access;
    this.query = query;
    this.readers = readers;
    this.window = window;
    this.guard = guard;
    this.asked = asked;
    this.missing = missing;
    held = new HeldBytes(access.account());
    ahead = new HourPrefetcher(this::ask, guard, readers.options());
    CompletionStage<List<Hour>> found = hours();
    CompletionStage<List<Hour>> allowed =
        query.isLimited() ? found : found.thenCompose(all -> guard.check(all, access));
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
    // The hours are not requested for a single hour: its directory shows whether it has rows.
    return first.equals(last)
        ? CompletableFuture.completedFuture(List.of(first))
        : access.store().hours(first, last).toCompletableFuture();
  }

  /**
   * Delivers events to a sink; see {@link RowMerge#advance}.
   *
   * @param wanted maximum number of events that the query still needs, for prefetching
   */
  Progress advance(EventSink sink, LongSupplier wanted) {
    while (true) {
      if (!hours.isDone()) {
        return Progress.WAITING;
      }
      Reading reading = current != null ? current : open();
      if (reading == null) {
        return Progress.DONE;
      }
      if (!reading.merge().isDone()) {
        return Progress.WAITING;
      }
      Progress progress = advance(reading.hour(), reading.merge().join(), sink, wanted);
      boolean goesOn = progress == Progress.DONE ? ahead.hasNext() : progress != Progress.ENOUGH;
      if (goesOn) {
        guard.checkRead(); // within the costly hour, or the proposed range would include it
      }
      if (progress != Progress.DONE) {
        return progress;
      }
      current = null;
      held.leave(reading.hour().rows());
    }
  }

  private Progress advance(HourScan hour, RowMerge merge, EventSink sink, LongSupplier wanted) {
    if (!entered) {
      entered = true;
      window.setWidth(merge.slices()); // the width may still be that of another hour
      hour.rows().forEach(row -> asked.add(row.row()));
      ahead.entered(hour.plan(), wanted.getAsLong());
    }
    boolean loaded = merge.load();
    ahead.prepare(loaded ? left(hour, merge) : hour.plan(), wanted.getAsLong());
    return loaded ? merge.advance(sink) : Progress.WAITING;
  }

  private static Plan left(HourScan hour, RowMerge merge) {
    Plan plan = hour.plan();
    if (!merge.isOnLastSlices()) {
      return plan;
    }
    long columns = merge.columnsLeft();
    return new Plan(0, 0, columns, columns * plan.bytes() / Math.max(1, plan.columns()));
  }

  /** Moves to the next hour; null if there is none. Call only once the hours are known. */
  private @Nullable Reading open() {
    HourScan next = ahead.next();
    entered = false;
    current = next == null ? null : new Reading(next, next.start());
    return current;
  }

  /** Requests the directory of the next hour; null if there is none. */
  private @Nullable HourScan ask() {
    if (hoursLeft == null) {
      hoursLeft = new ArrayDeque<>();
      hours.join().forEach(isAscending() ? hoursLeft::addLast : hoursLeft::addFirst);
    }
    Hour next = hoursLeft.poll();
    return next == null
        ? null
        : new HourScan(
            guard
                .rows(next, access.store())
                .thenApply(rows -> held.directory(query.rowsOf(rows)))
                .toCompletableFuture(),
            rows -> guard.enter(next, rows),
            rows -> {
              held.slices(readers.heldBytes(rows));
              return readers.merge(rows, query::columnsOf, window, missing);
            });
  }

  private boolean isAscending() {
    return query.order() == Order.ASCENDING;
  }

  /** The stage that {@link #advance} waits for. */
  CompletionStage<?> awaited() {
    if (current == null) {
      return hours;
    }
    CompletableFuture<RowMerge> merge = current.merge();
    return merge.isDone() ? merge.join().awaited() : merge;
  }

  /** Releases prefetched slices, so that an idle walk holds only its current ones. */
  void dropAhead() {
    if (current != null && current.merge().isDone()) {
      current.merge().join().dropAhead();
    }
    ahead.drop();
  }
}
