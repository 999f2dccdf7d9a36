package hourglass.query;

import hourglass.bucketing.Ticks;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A query that exceeds a bound; the message gives its plan, and a range or types that fit. */
public final class TooCostlyException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final String bound;
  private final long allowed;
  private final transient Plan plan;
  private final transient @Nullable TimeRange fittingRange;
  private final transient List<String> fittingTypes;

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

  /** The setting that the query exceeds. */
  public String bound() {
    return bound;
  }

  public long allowed() {
    return allowed;
  }

  /** An upper bound on the reads; for a query with a limit, as far as they are known. */
  public Plan plan() {
    return plan;
  }

  /** The part of the query's range, from where it begins, that would fit; null: unknown. */
  public @Nullable TimeRange fittingRange() {
    return fittingRange;
  }

  /** A few types that would each fit alone over the whole range, the costliest first. */
  public List<String> fittingTypes() {
    return fittingTypes;
  }
}
