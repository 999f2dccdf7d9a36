package hourglass.query.values;

import org.jspecify.annotations.Nullable;

/**
 * A summary of the numbers in a field.
 *
 * @param notNumeric events with another value there, null included, or with a number beyond all
 *     doubles
 * @param numbers null if there are none
 */
public record NumberSummary(
    long events, long absent, long notNumeric, @Nullable Distribution numbers) {

  /** The summary of no events. */
  public static final NumberSummary NONE = new NumberSummary(0, 0, 0, null);

  public static final double QUANTILE_ERROR_MAX = 0.001;

  public long count() {
    return events - absent - notNumeric;
  }

  /**
   * The distribution of numbers. Quantiles are within {@link #QUANTILE_ERROR_MAX} of the number at
   * their rank; {@code min} and {@code max} are exact, and {@code mean} is the double nearest to
   * the exact mean.
   */
  public record Distribution(
      double min, double max, double mean, double p50, double p90, double p99, double p999) {}
}
