package hourglass.query;

import hourglass.bucketing.Ticks;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A query that exceeds a bound; the message states its plan, and a range or types that fit. */
public final class TooCostlyException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final transient Costs costs;

  /**
   * The costs of a query.
   *
   * @param bound the setting that the query exceeds
   * @param plan an upper bound on the reads; for a query with a limit, as far as they are known
   * @param fittingRange the part of the query's range, from its beginning, that would fit; null if
   *     unknown
   * @param fittingTypes a few types that would each fit alone over the whole range, the costliest
   *     first
   */
  public record Costs(
      String bound,
      long allowed,
      Plan plan,
      @Nullable TimeRange fittingRange,
      List<String> fittingTypes) {}

  public TooCostlyException(Costs costs) {
    super(message(costs));
    this.costs = costs;
  }

  public Costs costs() {
    return costs;
  }

  private static String message(Costs costs) {
    List<String> fits = new ArrayList<>();
    TimeRange range = costs.fittingRange;
    if (range != null) {
      fits.add(
          "from=%s&to=%s".formatted(Ticks.text(range.fromTicks()), Ticks.text(range.toTicks())));
    }
    if (!costs.fittingTypes.isEmpty()) {
      fits.add("one type of " + String.join(", ", costs.fittingTypes));
    }
    String want = fits.isEmpty() ? "a shorter range or fewer types" : String.join(", or ", fits);
    Plan plan = costs.plan;
    return "%s: the query reads up to %d rows with %d bytes in %d hours, and %d are allowed; want %s"
        .formatted(costs.bound, plan.rows(), plan.bytes(), plan.hours(), costs.allowed, want);
  }
}
