package hourglass.query.values;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** The decimal number with the fewest digits in a range, probably the one that was written. */
final class ShortestDecimal {
  /** Enough digits to identify every double. */
  private static final int DIGITS_MAX = 17;

  private ShortestDecimal() {}

  /**
   * The smallest of the shortest decimals in {@code [low, high)}.
   *
   * @param low at least zero
   * @param high above {@code low}; may be infinite
   */
  static double in(double low, double high) {
    BigDecimal exact = BigDecimal.valueOf(low);
    for (int digits = 1; digits < DIGITS_MAX; digits++) {
      double rounded = exact.round(new MathContext(digits, RoundingMode.CEILING)).doubleValue();
      if (rounded >= low && rounded < high) {
        return rounded;
      }
    }
    return low;
  }
}
