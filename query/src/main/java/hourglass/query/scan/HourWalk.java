package hourglass.query.scan;

import hourglass.bucketing.Hour;
import hourglass.query.EventQuery;
import hourglass.query.Plan;
import hourglass.query.TimeRange;
import hourglass.query.fair.AnswerBytes;
import hourglass.query.fair.QueryThread;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Merges the rows of each hour of a query, in order. Used by one thread at a time. */
final class HourWalk {
  private final StoreAccess access;
  private final EventQuery query;
  private final RowReaders readers;
  private final SliceWindow window;
  private final CostGuard guard;
  private final AnswerRows answerRows;
  private final HourPrefetcher ahead;
  private final HeldBytes held;

  /** The hours that are not begun, in the direction of the walk. */
  private final Deque<Hour> hoursLeft = new ArrayDeque<>();

  private @Nullable RowMerge current;

  HourWalk(
      StoreAccess access,
      EventQuery query,
      RowReaders readers,
      SliceWindow window,
      CostGuard guard,
      AnswerRows answerRows) {
    this.access = access;
    this.query = query;
    this.readers = readers;
    this.window = window;
    this.guard = guard;
    this.answerRows = answerRows;
    held = new HeldBytes(access.account());
    ahead = new HourPrefetcher(this::nextHour, guard, readers.options());
  }

  private List<Hour> hours(QueryThread thread) {
    TimeRange range = query.selection().range();
    if (range.isEmpty()) {
      return List.of();
    }
    Hour begin = query.begin();
    Hour first = begin != null && isAscending() ? begin : range.firstHour();
    Hour last = begin != null && !isAscending() ? begin : range.lastHour();
    // A single hour is not looked up: its directory shows whether it has rows.
    return first.equals(last) ? List.of(first) : thread.await(access.store().hours(first, last));
  }

  /**
   * Delivers events to {@code sink} until it stops. The query still needs at most {@code wanted}
   * events.
   */
  void forEach(EventSink sink, LongSupplier wanted, QueryThread thread) {
    thread.check();
    List<Hour> hours = hours(thread);
    if (!query.isLimited()) {
      guard.check(hours, access, thread);
    }
    hours.forEach(isAscending() ? hoursLeft::addLast : hoursLeft::addFirst);
    for (HourScan hour = ahead.next(); hour != null; hour = ahead.next()) {
      RowMerge merge = thread.await(hour.start());
      current = merge;
      window.setWidth(merge.slices()); // the width may still be that of another hour
      List<RowEntry> rows = hour.rows.join().all();
      answerRows.add(rows);
      answerRows.addAnswered(rows.size() - hour.rows.join().matching().size());
      access.reads().addRows(rows.size());
      ahead.entered(hour.plan(), wanted.getAsLong());
      ahead.prepare(hour.plan(), wanted.getAsLong());
      HourScan entered = hour;
      Runnable loaded = () -> ahead.prepare(left(entered, merge), wanted.getAsLong());
      if (!merge.forEach(sink, thread, loaded)) {
        return;
      }
      if (ahead.hasNext()) {
        guard.checkRead(); // within the costly hour, or the proposed range would include it
      }
      current = null;
      held.leave(rows);
    }
  }

  private static Plan left(HourScan hour, RowMerge merge) {
    Plan plan = hour.plan();
    if (!merge.isOnLastSlices()) {
      return plan;
    }
    long columns = merge.columnsLeft();
    return new Plan(0, 0, columns, columns * plan.bytes() / Math.max(1, plan.columns()));
  }

  /** Returns the next hour, with its directory requested; null if there is none. */
  private @Nullable HourScan nextHour() {
    Hour next = hoursLeft.poll();
    return next == null ? null : new HourScan(next);
  }

  private boolean isAscending() {
    return query.order() == Order.ASCENDING;
  }

  /** The parts of the current hour's open rows that are read, added up. */
  double partsRead() {
    return current == null ? 0 : current.partsRead();
  }

  /**
   * Drops slices and directories that were requested ahead. An idle walk then holds only its
   * current slices.
   */
  void dropAhead() {
    if (current != null) {
      current.dropAhead();
    }
    ahead.drop();
  }

  /**
   * The rows of an hour.
   *
   * @param all those that the query asks for
   * @param matching those of them that may have an event which matches
   */
  private record HourRows(List<RowEntry> all, List<RowEntry> matching) {}

  /**
   * One hour of the walk. Its directory is requested at once, its first slices by {@link #start} or
   * {@link #prepare}.
   */
  final class HourScan {
    private final Hour hour;

    private final CompletableFuture<HourRows> rows;

    private @Nullable RowMerge prepared;
    private @Nullable Plan plan;

    private HourScan(Hour hour) {
      this.hour = hour;
      rows =
          guard
              .rows(hour, access.store())
              .thenApply(all -> held.enter(query.rowsOf(all)))
              .thenCompose(
                  all ->
                      MatchingRows.of(access.store(), all, query::columnsOf, readers.filter())
                          .thenApply(matching -> new HourRows(all, matching)))
              .toCompletableFuture();
    }

    boolean isKnown() {
      return rows.isDone() && !rows.isCompletedExceptionally();
    }

    /** The plan of the rows to read, an upper bound. Needs a known directory. */
    Plan plan() {
      Plan known = plan;
      if (known == null) {
        known = Plan.of(rows.join().matching());
        plan = known;
      }
      return known;
    }

    /** The plan of all rows of the hour, which the bounds of a query count. */
    Plan planOfAll() {
      return Plan.of(rows.join().all());
    }

    /** Requests the first slices. Needs a known directory. */
    void prepare() {
      if (prepared == null) {
        prepared = merge(rows.join().matching());
      }
    }

    private CompletableFuture<RowMerge> start() {
      RowMerge ready = prepared;
      return rows.thenApply(
          ofHour -> {
            guard.enter(hour, ofHour.all());
            return ready != null ? ready : merge(ofHour.matching());
          });
    }

    private RowMerge merge(List<RowEntry> wanted) {
      held.slices(readers.heldBytes(wanted));
      return readers.merge(wanted, query::columnsOf, window, answerRows);
    }

    void drop() {
      if (prepared != null) {
        prepared.dropAhead();
      }
      prepared = null;
    }
  }

  /**
   * The memory of the walk: directories of hours that are known and not finished, and the slices of
   * the largest hour so far. The account never shrinks, so that a long answer cannot fail midway
   * for lack of memory that it once held. Thread-safe.
   */
  private static final class HeldBytes {
    private final AnswerBytes.Account account;

    // Guarded by this:
    private long directories;
    private long slices;
    private long taken;

    private HeldBytes(AnswerBytes.Account account) {
      this.account = account;
    }

    private synchronized List<RowEntry> enter(List<RowEntry> rows) {
      directories += DirectoryScan.ROW_BYTES * rows.size();
      grow();
      return rows;
    }

    private synchronized void leave(List<RowEntry> rows) {
      directories -= DirectoryScan.ROW_BYTES * rows.size();
    }

    private synchronized void slices(long bytes) {
      slices = Math.max(slices, bytes);
      grow();
    }

    private void grow() {
      long more = directories + slices - taken;
      if (more > 0) {
        account.take(more);
        taken += more;
      }
    }
  }
}
