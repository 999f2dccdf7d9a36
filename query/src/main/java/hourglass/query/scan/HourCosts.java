package hourglass.query.scan;

import hourglass.bucketing.Hour;
import hourglass.query.EventQuery;
import hourglass.query.Plan;
import hourglass.query.QueryBounds;
import hourglass.query.TimeRange;
import hourglass.query.TooCostlyException;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the hours of a query cost, and which part of it would be within the bounds. */
final class HourCosts {
  static final String ROWS = "query.max-rows";
  static final String BYTES = "query.max-bytes";

  /** So many types are proposed at the most. */
  private static final int TYPES_TOLD = 5;

  /** So many are compared at the most, some 200 bytes each; those that come first. */
  private static final int TYPES_COMPARED = 10_000;

  private final EventQuery query;
  private final QueryBounds bounds;
  private final TreeMap<Hour, Plan> byHour = new TreeMap<>();
  private final TreeMap<String, Plan> byType = new TreeMap<>();
  private Plan sum = Plan.NOTHING;

  HourCosts(EventQuery query, QueryBounds bounds) {
    this.query = query;
    this.bounds = bounds;
  }

  /** Adds an hour, once. */
  void put(Hour hour, List<RowEntry> rows) {
    Plan plan = Plan.ofHour(query, rows);
    if (byHour.putIfAbsent(hour, plan) == null) {
      sum = sum.plus(plan);
      if (!query.isLimited()) { // else no types are told
        TypedRows.group(rows).forEach(this::put);
      }
    }
  }

  private void put(TypedRows typed) {
    if (byType.size() < TYPES_COMPARED || byType.containsKey(typed.type())) {
      byType.merge(typed.type(), Plan.ofHour(query, typed.rows()), Plan::plus);
    }
  }

  /**
   * All hours are known.
   *
   * @throws TooCostlyException if they are too much
   */
  void check() {
    checkRows();
    if (sum.bytes() > bounds.bytesMax()) {
      throw new TooCostlyException(BYTES, bounds.bytesMax(), sum, fittingRange(), fittingTypes());
    }
  }

  /**
   * As {@link #check}, of the rows alone.
   *
   * @throws TooCostlyException if they are too many
   */
  void checkRows() {
    if (sum.rows() > bounds.rowsMax()) {
      throw new TooCostlyException(ROWS, bounds.rowsMax(), sum, fittingRange(), fittingTypes());
    }
  }

  /** What is wrong with a query that may not go on in the hour that it has reached. */
  TooCostlyException readTooMuch(long bytes) {
    Plan read = new Plan(sum.hours(), sum.rows(), sum.columns(), bytes);
    NavigableMap<Hour, Plan> before = inOrder();
    before.pollLastEntry();
    TimeRange fits = before.isEmpty() ? null : upTo(inOrder().lastKey());
    return new TooCostlyException(BYTES, bounds.bytesMax(), read, fits, List.of());
  }

  /** Whether there is room for another hour. */
  boolean fits(Plan hour) {
    return isWithin(sum.plus(hour));
  }

  private boolean isWithin(Plan plan) {
    return plan.rows() <= bounds.rowsMax() && plan.bytes() <= bounds.bytesMax();
  }

  private NavigableMap<Hour, Plan> inOrder() {
    return new TreeMap<>(query.order() == Order.ASCENDING ? byHour : byHour.descendingMap());
  }

  /** The range from where the query begins up to the first hour that is too much. */
  private @Nullable TimeRange fittingRange() {
    Plan some = Plan.NOTHING;
    for (Map.Entry<Hour, Plan> hour : inOrder().entrySet()) {
      Plan more = some.plus(hour.getValue());
      if (!isWithin(more)) {
        return some.rows() == 0 ? null : upTo(hour.getKey());
      }
      some = more;
    }
    return null;
  }

  /** The part of the query's range that it reads before it comes to an hour. */
  private @Nullable TimeRange upTo(Hour hour) {
    if (query.after() != null) {
      return null; // a page that follows another one has no range of its own
    }
    TimeRange all = query.selection().range();
    return query.order() == Order.ASCENDING
        ? new TimeRange(all.fromTicks(), hour.startTicks())
        : new TimeRange(hour.endTicks(), all.toTicks());
  }

  private List<String> fittingTypes() {
    Comparator<Map.Entry<String, Plan>> costliestFirst =
        Comparator.comparingLong(entry -> -entry.getValue().bytes());
    Collection<Map.Entry<String, Plan>> types = byType.entrySet();
    return query.isLimited() || byType.size() < 2 // else the hours beyond are not known
        ? List.of()
        : types.stream()
            .filter(entry -> isWithin(entry.getValue()) && entry.getValue().rows() > 0)
            .sorted(costliestFirst)
            .limit(TYPES_TOLD)
            .map(Map.Entry::getKey)
            .toList();
  }
}
