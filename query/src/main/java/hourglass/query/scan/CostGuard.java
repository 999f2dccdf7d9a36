package hourglass.query.scan;

import hourglass.bucketing.Hour;
import hourglass.query.EventQuery;
import hourglass.query.Plan;
import hourglass.query.QueryBounds;
import hourglass.query.QueryOptions;
import hourglass.query.TimeRange;
import hourglass.query.TooCostlyException;
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
import org.jspecify.annotations.Nullable;

/**
 * Keeps an event query within its bounds. A query without a limit reads its whole range, so the
 * guard checks all directories before the first slice. A query with a limit may end in the first
 * hour of a long range. It is refused only once the hours that it has reached have too many rows,
 * or it has read too many bytes. Thread-safe.
 */
final class CostGuard {
  private static final String ROWS = "query.max-rows";
  private static final String BYTES = "query.max-bytes";

  /** A few MB of directories; later ones are read again. */
  private static final int ROWS_KEPT_MAX = 4_096;

  private static final int TYPES_PROPOSED = 5;

  /** Types that are compared for a proposal, at some 200 bytes each; the first ones count. */
  private static final int TYPES_COMPARED = 10_000;

  private final EventQuery query;
  private final int fanOut;
  private final QueryBounds bounds;
  private final LongSupplier bytesWalked;

  // Guarded by this: the costs of the hours seen so far.
  private final TreeMap<Hour, Plan> byHour = new TreeMap<>();
  private final TreeMap<String, Plan> byType = new TreeMap<>();
  private Plan sum = Plan.NOTHING;

  /** Directories that were checked, each until its hour is read. Guarded by this. */
  private final Map<Hour, List<RowEntry>> kept = new HashMap<>();

  private int rowsKept;

  /** Whether all hours were checked before the first was read. Guarded by this. */
  private boolean checked;

  /**
   * @param bytesWalked payload bytes that the query has reached so far
   */
  CostGuard(EventQuery query, QueryOptions options, LongSupplier bytesWalked) {
    this.query = query;
    fanOut = options.fanOut();
    bounds = options.bounds();
    this.bytesWalked = bytesWalked;
  }

  /**
   * Checks all hours of a query without a limit.
   *
   * @return the hours; fails with {@link TooCostlyException}
   */
  CompletionStage<List<Hour>> check(List<Hour> hours, StoreAccess access) {
    if (hours.size() < 2) {
      return CompletableFuture.completedFuture(hours); // enter() checks a single hour
    }
    return FanOut.forEach(
            hours,
            fanOut,
            access,
            hour ->
                access
                    .store()
                    .rows(hour)
                    .thenAccept(rows -> keep(hour, query.selection().of(rows))))
        .thenApply(
            done -> {
              checkAll();
              return hours;
            });
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
    checkRows();
    checkBytes();
  }

  /** Adds an hour, once. */
  private void add(Hour hour, List<RowEntry> rows) {
    Plan plan = Plan.ofHour(query, rows);
    if (byHour.putIfAbsent(hour, plan) == null) {
      sum = sum.plus(plan);
      if (!query.isLimited()) { // a limited query gets no proposal of types
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

  /** The rows of an hour to read: from a checked directory, or else from the store. */
  CompletionStage<List<RowEntry>> rows(Hour hour, WideColumnStore store) {
    List<RowEntry> known;
    synchronized (this) {
      known = kept.remove(hour);
    }
    return known == null ? store.rows(hour) : CompletableFuture.completedFuture(known);
  }

  /** Whether an hour may be prefetched. */
  synchronized boolean mayEnter(Plan hour) {
    return checked || fits(sum.plus(hour));
  }

  /**
   * Checks an hour before it is read. May be called repeatedly.
   *
   * @param rows the wanted rows of the hour
   * @throws TooCostlyException if the hour exceeds the bounds
   */
  synchronized void enter(Hour hour, List<RowEntry> rows) {
    if (checked) {
      return; // rows written since the check are allowed
    }
    add(hour, rows);
    checkRows();
    if (!query.isLimited()) {
      checkBytes();
    }
  }

  private void checkRows() {
    if (sum.rows() > bounds.rowsMax()) {
      throw new TooCostlyException(ROWS, bounds.rowsMax(), sum, fittingRange(), fittingTypes());
    }
  }

  private void checkBytes() {
    if (sum.bytes() > bounds.bytesMax()) {
      throw new TooCostlyException(BYTES, bounds.bytesMax(), sum, fittingRange(), fittingTypes());
    }
  }

  /**
   * Checks the bytes that were read.
   *
   * @throws TooCostlyException if they are too many for a query with a limit; it proposes the range
   *     before the current hour
   */
  void checkRead() {
    if (!query.isLimited() || bytesWalked.getAsLong() <= bounds.bytesMax()) {
      return;
    }
    synchronized (this) {
      Plan read = new Plan(sum.hours(), sum.rows(), sum.columns(), bytesWalked.getAsLong());
      TimeRange fits = byHour.size() < 2 ? null : upTo(inOrder().lastKey());
      throw new TooCostlyException(BYTES, bounds.bytesMax(), read, fits, List.of());
    }
  }

  private boolean fits(Plan plan) {
    return plan.rows() <= bounds.rowsMax() && plan.bytes() <= bounds.bytesMax();
  }

  private NavigableMap<Hour, Plan> inOrder() {
    return query.order() == Order.ASCENDING ? byHour : byHour.descendingMap();
  }

  /** The range before the first hour that exceeds the bounds; null if none fits. */
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

  /** The part of the query's range before an hour in reading order; null for a following page. */
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
    return query.isLimited() || byType.size() < 2 // otherwise the later hours are unknown
        ? List.of()
        : byType.entrySet().stream()
            .filter(entry -> fits(entry.getValue()) && entry.getValue().rows() > 0)
            .sorted(costliestFirst)
            .limit(TYPES_PROPOSED)
            .map(Map.Entry::getKey)
            .toList();
  }
}
