package hourglass.query;

import hourglass.bucketing.Ticks;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A query that would read more than is allowed; the message says how much, and what would fit. */
public final class TooCostlyException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String bound;
  private final long allowed;
  private final transient Plan plan;
  private final transient @Nullable TimeRange fittingRange;
  private final transient List<String> fittingTypes;

  /**
   * Says it.
   *
   * @param bound the setting that is passed
   * @param plan what would be read
   * @param fittingRange as much of the query's range, from where it begins, as may be read; null:
   *     nothing that is known
   * @param fittingTypes types of the query of which each may be read alone over all its range
   */
  public TooCostlyException(
      String bound,
      long allowed,
      Plan plan,
      @Nullable TimeRange fittingRange,
      List<String> fittingTypes) {
    super(message(bound, allowed, plan, fittingRange, fittingTypes));
    this.bound = bound;
    this.allowed = allowed;
    this.plan = plan;
    this.fittingRange = fittingRange;
    this.fittingTypes = List.copyOf(fittingTypes);
  }

  private static String message(
      String bound,
      long allowed,
      Plan plan,
      @Nullable TimeRange fittingRange,
      List<String> fittingTypes) {
    List<String> fits = new ArrayList<>();
    if (fittingRange != null) {
      fits.add(
          "from=%s&to=%s"
              .formatted(Ticks.text(fittingRange.fromTicks()), Ticks.text(fittingRange.toTicks())));
    }
    if (!fittingTypes.isEmpty()) {
      fits.add("one type of " + String.join(", ", fittingTypes));
    }
    String want = fits.isEmpty() ? "a shorter range or fewer types" : String.join(", or ", fits);
    return "%s: the query reads up to %d rows with %d bytes in %d hours, and %d are allowed; want %s"
        .formatted(bound, plan.rows(), plan.bytes(), plan.hours(), allowed, want);
  }

  /** The setting that is passed. */
  public String bound() {
    return bound;
  }

  /** Its value. */
  public long allowed() {
    return allowed;
  }

  /** What would be read, at the most; where a query with a limit went on, as far as is known. */
  public Plan plan() {
    return plan;
  }

  /** As much of the query's range, from where it begins, as may be read; null: not known. */
  public @Nullable TimeRange fittingRange() {
    return fittingRange;
  }

  /** Types of which each may be read alone over all the range: the costliest first, a few. */
  public List<String> fittingTypes() {
    return fittingTypes;
  }
}
