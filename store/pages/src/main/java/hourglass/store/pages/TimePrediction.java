package hourglass.store.pages;

import hourglass.bucketing.Ticks;
import hourglass.bytes.Decimals;

/**
 * Predicts a field's value from the column's ticks, in 10^-n seconds since 1970. Arithmetic is
 * modulo 2^64, the same both ways.
 */
final class TimePrediction {
  static final int EXPONENT_MAX = 9;

  private static final int TICKS_EXPONENT = 7;

  /**
   * The greatest distance of a number from the column's time. A number that is more than a day away
   * is unrelated to it.
   */
  private static final long NEAR_SECONDS = 86_400;

  private TimePrediction() {}

  static long of(long ticks, int exponent) {
    long unix = ticks - Ticks.UNIX_EPOCH;
    return switch (exponent) {
      case 0 -> Math.floorDiv(unix, Ticks.PER_SECOND);
      case 3 -> Math.floorDiv(unix, Ticks.PER_MILLI);
      case 6 -> Math.floorDiv(unix, 10L);
      default ->
          exponent <= TICKS_EXPONENT
              ? Math.floorDiv(unix, Decimals.power(TICKS_EXPONENT - exponent))
              : unix * Decimals.power(exponent - TICKS_EXPONENT);
    };
  }

  /** Returns the exponent that brings a decimal near the column's time; -1 if none does. */
  static int exponentNear(long ticks, long number, int scale) {
    for (int exponent = scale; exponent <= EXPONENT_MAX; exponent += 3) {
      long difference = Math.abs(number - of(ticks, exponent));
      if (difference >= 0 && difference <= NEAR_SECONDS * Decimals.power(exponent)) {
        return exponent;
      }
    }
    return -1;
  }
}
