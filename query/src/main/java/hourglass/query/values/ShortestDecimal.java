package hourglass.query.values;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** The decimal number of fewest digits in a range: what people have most likely written. */
final class ShortestDecimal {
  /** With that many every double has a decimal of its own. */
  private static final int DIGITS_MAX = 17;

  private ShortestDecimal() {}

  /**
   * In {@code [low, high)}; of several the smallest.
   *
   * @param low at least zero
   * @param high above it; may be infinite
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
