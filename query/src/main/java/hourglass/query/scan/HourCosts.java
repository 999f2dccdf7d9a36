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

/** The costs of the hours of a query, and the part of the query that fits the bounds. */
final class HourCosts {
  static final String ROWS = "query.max-rows";
  static final String BYTES = "query.max-bytes";

  /** The maximum number of types in a proposal. */
  private static final int TYPES_TOLD = 5;

  /**
   * The maximum number of types that are compared, at some 200 bytes each; the first ones count.
   */
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
      if (!query.isLimited()) { // a limited query gets no proposal of types
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
   * Checks rows and bytes; all hours must be known.
   *
   * @throws TooCostlyException if they exceed the bounds
   */
  void check() {
    checkRows();
    if (sum.bytes() > bounds.bytesMax()) {
      throw new TooCostlyException(BYTES, bounds.bytesMax(), sum, fittingRange(), fittingTypes());
    }
  }

  /**
   * Checks the rows alone.
   *
   * @throws TooCostlyException if they are too many
   */
  void checkRows() {
    if (sum.rows() > bounds.rowsMax()) {
      throw new TooCostlyException(ROWS, bounds.rowsMax(), sum, fittingRange(), fittingTypes());
    }
  }

  /**
   * The error of a query that has read too much, with the range before the current hour as
   * proposal.
   */
  TooCostlyException readTooMuch(long bytes) {
    Plan read = new Plan(sum.hours(), sum.rows(), sum.columns(), bytes);
    NavigableMap<Hour, Plan> before = inOrder();
    before.pollLastEntry();
    TimeRange fits = before.isEmpty() ? null : upTo(inOrder().lastKey());
    return new TooCostlyException(BYTES, bounds.bytesMax(), read, fits, List.of());
  }

  boolean fits(Plan hour) {
    return isWithin(sum.plus(hour));
  }

  private boolean isWithin(Plan plan) {
    return plan.rows() <= bounds.rowsMax() && plan.bytes() <= bounds.bytesMax();
  }

  private NavigableMap<Hour, Plan> inOrder() {
    return new TreeMap<>(query.order() == Order.ASCENDING ? byHour : byHour.descendingMap());
  }

  /**
   * The range from the query's begin to the first hour that exceeds the bounds; null if none fits.
   */
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
    Collection<Map.Entry<String, Plan>> types = byType.entrySet();
    return query.isLimited() || byType.size() < 2 // otherwise the later hours are unknown
        ? List.of()
        : types.stream()
            .filter(entry -> isWithin(entry.getValue()) && entry.getValue().rows() > 0)
            .sorted(costliestFirst)
            .limit(TYPES_TOLD)
            .map(Map.Entry::getKey)
            .toList();
  }
}
