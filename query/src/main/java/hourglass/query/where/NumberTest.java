package hourglass.query.where;

/**
 * Compares a JSON number with a constant, as numbers, whatever kind each is. What a double holds
 * only rounded, and what is spelled with an exponent or more than a few digits, is left to the
 * library.
 */
final class NumberTest implements ValueTest {
  /** Digits that cannot overflow a long. */
  private static final int WHOLE_DIGITS = 18;

  /**
   * So many digits are exact in a double, and so is the power of ten to divide them by: then their
   * quotient is the double nearest to the number (Clinger, 1990).
   */
  private static final int FRACTION_DIGITS = 15;

  private static final double[] TENS = {
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
  };

  /** Up to here whole numbers are exact in a double. */
  private static final long EXACT = 1L << 53;

  private final Comparison comparison;
  private final boolean whole;
  private final long wholeConstant;
  private final double constant;

  private NumberTest(Comparison comparison, boolean whole, long wholeConstant, double constant) {
    this.comparison = comparison;
    this.whole = whole;
    this.wholeConstant = wholeConstant;
    this.constant = constant;
  }

  /** Compares with a number that is an {@code int}. */
  static NumberTest of(Comparison comparison, long constant) {
    return new NumberTest(comparison, true, constant, (double) constant);
  }

  /** Compares with a number that is a {@code double}. */
  static NumberTest of(Comparison comparison, double constant) {
    return new NumberTest(comparison, false, 0, constant);
  }

  @Override
  public int outcomes(byte[] bytes, int from, int to) {
    byte first = bytes[from];
    if (first == '-' || (first >= '0' && first <= '9')) {
      return number(bytes, from, to, first == '-');
    }
    return comparison.ofDifferentKinds();
  }

  private int number(byte[] bytes, int from, int to, boolean negative) {
    long digits = 0;
    int count = 0;
    int point = -1;
    for (int at = negative ? from + 1 : from; at < to; at++) {
      int digit = bytes[at] - '0';
      if (digit >= 0 && digit <= 9 && count < WHOLE_DIGITS) {
        digits = digits * 10 + digit;
        count++;
      } else if (bytes[at] == '.' && point < 0 && count > 0) {
        point = at;
      } else {
        return Outcomes.EITHER;
      }
    }
    if (count == 0) {
      return Outcomes.ANY;
    }
    return point < 0
        ? whole(negative ? -digits : digits)
        : fraction(digits, count, to - point - 1, negative);
  }

  private int whole(long value) {
    if (whole) {
      return comparison.outcomes(Long.compare(value, wholeConstant));
    }
    return isExact(value)
        ? comparison.outcomes(Double.compare((double) value, constant))
        : Outcomes.EITHER;
  }

  private int fraction(long digits, int count, int behindPoint, boolean negative) {
    if (count > FRACTION_DIGITS
        || (digits == 0 && negative)
        || (whole && !isExact(wholeConstant))) {
      return Outcomes.EITHER;
    }
    double value = digits / TENS[behindPoint];
    return comparison.outcomes(Double.compare(negative ? -value : value, constant));
  }

  private static boolean isExact(long value) {
    return value >= -EXACT && value <= EXACT;
  }
}
