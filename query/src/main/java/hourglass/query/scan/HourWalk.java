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
 * The hours of a query one after the other, the rows of each merged. While one is read, the next
 * are on their way, as {@link HourPrefetcher} says. Never blocks. Used by one thread at a time.
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

  /**
   * An hour that is read, or will be once its rows are known.
   *
   * @param merge of its rows
   */
  private record Reading(HourScan hour, CompletableFuture<RowMerge> merge) {}

  /** Whether the current hour was looked at. */
  private boolean entered;

  /**
   * @param asked counts the rows of the hours reached
   * @param missing takes the rows that cannot be read; null: one of them fails the walk
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
    // One hour need not be asked for: its directory tells whether there is anything.
    return first.equals(last)
        ? CompletableFuture.completedFuture(List.of(first))
        : access.store().hours(first, last).toCompletableFuture();
  }

  /**
   * Gives events to a sink; see {@link RowMerge#advance}.
   *
   * @param wanted how many it will take at most, to know what is worth fetching ahead
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
        guard.checkRead(); // in the hour that is too much, or what is proposed would be too
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
      window.setWidth(merge.slices()); // it may be that of another hour
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

  /** Goes to the next hour; null if there is none. To be called once the hours are known. */
  private @Nullable Reading open() {
    HourScan next = ahead.next();
    entered = false;
    current = next == null ? null : new Reading(next, next.start());
    return current;
  }

  /** Asks for the directory of the next hour; null if there is none. */
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

  /** What {@link #advance} waits for. */
  CompletionStage<?> awaited() {
    if (current == null) {
      return hours;
    }
    CompletableFuture<RowMerge> merge = current.merge();
    return merge.isDone() ? merge.join().awaited() : merge;
  }

  /** Lets go of what was fetched ahead, so that a walk that rests holds only what it stands on. */
  void dropAhead() {
    if (current != null && current.merge().isDone()) {
      current.merge().join().dropAhead();
    }
    ahead.drop();
  }
}
