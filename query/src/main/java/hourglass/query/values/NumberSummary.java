package hourglass.query.values;

import org.jspecify.annotations.Nullable;

/**
 * What is said of the numbers that a field has.
 *
 * @param events all that were looked at
 * @param absent those without the field
 * @param notNumeric those that have something else there, null included, or a number beyond all
 *     doubles
 * @param numbers of the others; null if there is none
 */
public record NumberSummary(
    long events, long absent, long notNumeric, @Nullable Distribution numbers) {

  /** Of a quantile: its distance from the number at its rank, as a share of that number. */
  public static final double QUANTILE_ERROR_MAX = 0.001;

  /** Events that have a number. */
  public long count() {
    return events - absent - notNumeric;
  }

  /**
   * How numbers are distributed.
   *
   * @param min the least, exact
   * @param max the greatest, exact
   * @param mean the double nearest to their mean
   * @param p50 what half of them are not above, to within {@link #QUANTILE_ERROR_MAX}
   * @param p90 the same of nine tenths
   * @param p99 of 99 in 100
   * @param p999 of 999 in 1000
   */
  public record Distribution(
      double min, double max, double mean, double p50, double p90, double p99, double p999) {}
}
