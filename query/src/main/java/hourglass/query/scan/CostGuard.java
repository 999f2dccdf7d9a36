package hourglass.query.scan;

import hourglass.bucketing.Hour;
import hourglass.query.EventQuery;
import hourglass.query.Plan;
import hourglass.query.QueryBounds;
import hourglass.query.QueryOptions;
import hourglass.query.TimeRange;
import hourglass.query.TooCostlyException;
import hourglass.query.TooCostlyException.Costs;
import hourglass.query.fair.QueryThread;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.WideColumnStore;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps an event query within its bounds. A query without a limit reads its whole range, so all
 * directories are checked before the first slice is read. A query with a limit may end in the first
 * hour; it is refused once the hours so far have too many rows or bytes. Thread-safe.
 */
final class CostGuard {
  private static final String ROWS = "query.max-rows";
  private static final String BYTES = "query.max-bytes";

  /**
   * The most rows whose directories stay in memory after the check: a few MB. Other directories are
   * read again.
   */
  private static final int ROWS_KEPT_MAX = 4_096;

  private static final int TYPES_PROPOSED = 5;

  /**
   * The most types that are compared for a proposal, at some 200 bytes each; the first ones count.
   */
  private static final int TYPES_COMPARED = 10_000;

  private final EventQuery query;
  private final int fanOut;
  private final QueryBounds bounds;
  private final LongSupplier bytesWalked;

  // Guarded by this: the costs of the hours seen so far.
  private final TreeMap<Hour, Plan> byHour = new TreeMap<>();
  private final TreeMap<String, Plan> byType = new TreeMap<>();
  private Plan sum = Plan.NOTHING;

  /** Directories that were checked; each is kept until its hour is read. Guarded by this. */
  private final Map<Hour, List<RowEntry>> kept = new HashMap<>();

  private int rowsKept;

  /** Whether all hours were checked before the first was read. Guarded by this. */
  private boolean checked;

  CostGuard(EventQuery query, QueryOptions options, LongSupplier bytesWalked) {
    this.query = query;
    fanOut = options.fanOut();
    bounds = options.bounds();
    this.bytesWalked = bytesWalked;
  }

  /**
   * Checks a query without a limit.
   *
   * @throws TooCostlyException if the query exceeds its bounds
   */
  void check(List<Hour> hours, StoreAccess access, QueryThread thread) {
    if (hours.size() < 2) {
      return; // enter() checks a single hour
    }
    FanOut directories = new FanOut(fanOut, thread);
    for (Hour hour : hours) {
      directories.begin(
          () -> access.store().rows(hour).thenApply(rows -> query.selection().of(rows)),
          rows -> keep(hour, rows));
    }
    directories.finish();
    checkAll();
  }

  private synchronized void keep(Hour hour, List<RowEntry> rows) {
    add(hour, rows);
    if (rowsKept + rows.size() <= ROWS_KEPT_MAX) {
      rowsKept += rows.size();
      kept.put(hour, rows);
    }
  }

  private synchronized void checkAll() {
    checked = true;
    checkSum();
  }

  private void add(Hour hour, List<RowEntry> rows) {
    Plan plan = Plan.ofHour(query, rows);
    if (byHour.putIfAbsent(hour, plan) == null) {
      sum = sum.plus(plan);
      if (!query.isLimited()) { // its later hours are unknown, so it gets no proposal of types
        DirectoryScan.byType(rows).forEach(this::addType);
      }
    }
  }

  private void addType(List<RowEntry> rows) {
    String type = rows.get(0).row().type();
    if (byType.size() < TYPES_COMPARED || byType.containsKey(type)) {
      byType.merge(type, Plan.ofHour(query, rows), Plan::plus);
    }
  }

  CompletionStage<List<RowEntry>> rows(Hour hour, WideColumnStore store) {
    List<RowEntry> known;
    synchronized (this) {
      known = kept.remove(hour);
    }
    return known == null ? store.rows(hour) : CompletableFuture.completedFuture(known);
  }

  synchronized boolean mayEnter(Supplier<Plan> hour) {
    return checked || fits(sum.plus(hour.get()));
  }

  /**
   * Adds the cost of an hour, unless it is counted already. Throws {@link TooCostlyException} if
   * the rows exceed the bounds.
   */
  synchronized void enter(Hour hour, List<RowEntry> rows) {
    if (checked) {
      return; // rows written since the check are allowed
    }
    add(hour, rows);
    checkSum();
  }

  private void checkSum() {
    check(ROWS, sum.rows(), bounds.rowsMax());
    if (!query.isLimited()) {
      check(BYTES, sum.bytes(), bounds.bytesMax());
    }
  }

  private void check(String bound, long cost, long allowed) {
    if (cost > allowed) {
      throw new TooCostlyException(new Costs(bound, allowed, sum, fittingRange(), fittingTypes()));
    }
  }

  /** Throws {@link TooCostlyException} if a query with a limit has read too many bytes. */
  void checkRead() {
    if (!query.isLimited() || bytesWalked.getAsLong() <= bounds.bytesMax()) {
      return;
    }
    synchronized (this) {
      Plan read = new Plan(sum.hours(), sum.rows(), sum.columns(), bytesWalked.getAsLong());
      TimeRange fits = byHour.size() < 2 ? null : upTo(inOrder().lastKey());
      throw new TooCostlyException(new Costs(BYTES, bounds.bytesMax(), read, fits, List.of()));
    }
  }

  private boolean fits(Plan plan) {
    return plan.rows() <= bounds.rowsMax() && plan.bytes() <= bounds.bytesMax();
  }

  private NavigableMap<Hour, Plan> inOrder() {
    return query.order() == Order.ASCENDING ? byHour : byHour.descendingMap();
  }

  /**
   * Returns the range before the first hour that exceeds the bounds; null if all hours fit, or none
   * before it has rows.
   */
  private @Nullable TimeRange fittingRange() {
    Plan some = Plan.NOTHING;
    for (Map.Entry<Hour, Plan> hour : inOrder().entrySet()) {
      Plan more = some.plus(hour.getValue());
      if (!fits(more)) {
        return some.rows() == 0 ? null : upTo(hour.getKey());
      }
      some = more;
    }
    return null;
  }

  private @Nullable TimeRange upTo(Hour hour) {
    if (query.after() != null) {
      return null; // a following page has no range of its own
    }
    TimeRange all = query.selection().range();
    return query.order() == Order.ASCENDING
        ? new TimeRange(all.fromTicks(), hour.startTicks())
        : new TimeRange(hour.endTicks(), all.toTicks());
  }

  private List<String> fittingTypes() {
    Comparator<Map.Entry<String, Plan>> costliestFirst =
        Comparator.comparingLong(entry -> -entry.getValue().bytes());
    return byType.size() < 2
        ? List.of()
        : byType.entrySet().stream()
            .filter(entry -> fits(entry.getValue()) && entry.getValue().rows() > 0)
            .sorted(costliestFirst)
            .limit(TYPES_PROPOSED)
            .map(Map.Entry::getKey)
            .toList();
  }
}
