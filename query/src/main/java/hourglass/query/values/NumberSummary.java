package hourglass.query.values;

import org.jspecify.annotations.Nullable;

/**
 * A summary of the numbers in a field.
 *
 * @param events all events that were read
 * @param absent events without the field
 * @param notNumeric events with another value there, null included, or with a number beyond all
 *     doubles
 * @param numbers the distribution of the numbers; null if there are none
 */
public record NumberSummary(
    long events, long absent, long notNumeric, @Nullable Distribution numbers) {

  /** The largest relative error of a quantile. */
  public static final double QUANTILE_ERROR_MAX = 0.001;

  /** Events that have a number in the field. */
  public long count() {
    return events - absent - notNumeric;
  }

  /**
   * How numbers are distributed. A quantile is within {@link #QUANTILE_ERROR_MAX} of the number at
   * its rank.
   *
   * @param min exact
   * @param max exact
   * @param mean the double nearest to the exact mean
   * @param p50 the median
   * @param p90 the quantile of 90 in 100
   * @param p99 the quantile of 99 in 100
   * @param p999 the quantile of 999 in 1000
   */
  public record Distribution(
      double min, double max, double mean, double p50, double p90, double p99, double p999) {}
}
