package hourglass.query.where;

import hourglass.query.where.json.JsonNumber;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * A number of the payload, or arithmetic on such numbers, as far as cheaply known. A number with an
 * exponent or more than a few digits is of unknown value. Immutable.
 *
 * @param fraction the value of a {@code double}; finite, and no negative zero
 */
record QuickNumber(Kind kind, long whole, double fraction) {

  enum Kind {
    INT,
    DOUBLE,
    NUMBER,
    OTHER,
    ERROR,
    /** A value or an error. */
    UNKNOWN
  }

  static final QuickNumber NUMBER = new QuickNumber(Kind.NUMBER, 0, 0);
  static final QuickNumber OTHER = new QuickNumber(Kind.OTHER, 0, 0);
  static final QuickNumber ERROR = new QuickNumber(Kind.ERROR, 0, 0);
  static final QuickNumber UNKNOWN = new QuickNumber(Kind.UNKNOWN, 0, 0);

  /** Digits that cannot overflow a long. */
  private static final int WHOLE_DIGITS = 18;

  /**
   * Up to this length digits and power of ten are exact as doubles, and so is the rounding of their
   * quotient (Clinger, 1990).
   */
  private static final int FRACTION_DIGITS = 15;

  /** Below it, whole numbers have a double of their own. */
  private static final double WHOLE_DOUBLES = 1e15;

  static QuickNumber of(long whole) {
    return new QuickNumber(Kind.INT, whole, 0);
  }

  /** Values without a JSON spelling are left to the library. */
  static QuickNumber of(double fraction) {
    boolean special = !Double.isFinite(fraction) || Double.compare(fraction, -0.0) == 0;
    return special ? UNKNOWN : new QuickNumber(Kind.DOUBLE, 0, fraction);
  }

  /** Reads the JSON value in {@code [from, to)}, without white space around it. */
  static QuickNumber of(byte[] bytes, int from, int to) {
    return JsonNumber.begins(bytes[from]) ? number(bytes, from, to, bytes[from] == '-') : OTHER;
  }

  private static QuickNumber number(byte[] bytes, int from, int to, boolean negative) {
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
        return NUMBER;
      }
    }
    if (count == 0) {
      return UNKNOWN;
    }
    long signed = negative ? -digits : digits;
    return point < 0 ? of(signed) : fraction(signed, count, to - point - 1, negative);
  }

  private static QuickNumber fraction(long digits, int count, int behindPoint, boolean negative) {
    return count > FRACTION_DIGITS || (digits == 0 && negative)
        ? NUMBER
        : of(digits / JsonNumber.power(behindPoint));
  }

  /** The only number with this value, in any spelling of a known value; absent if unsure. */
  Optional<BigDecimal> exact() {
    if (kind == Kind.INT) {
      return Optional.of(BigDecimal.valueOf(whole));
    }
    if (kind != Kind.DOUBLE) {
      return Optional.empty();
    }
    BigDecimal shortest = BigDecimal.valueOf(fraction).stripTrailingZeros();
    return shortest.precision() <= FRACTION_DIGITS && Math.abs(fraction) < WHOLE_DOUBLES
        ? Optional.of(shortest)
        : Optional.empty();
  }

  boolean isKnown() {
    return kind == Kind.INT || kind == Kind.DOUBLE;
  }

  boolean isNumber() {
    return isKnown() || kind == Kind.NUMBER;
  }

  int outcomes(Comparison comparison, QuickNumber other) {
    if (kind == Kind.ERROR || other.kind == Kind.ERROR) {
      return Outcomes.ERROR;
    }
    if (isNumber() && other.isNumber()) {
      return ofNumbers(comparison, other);
    }
    boolean different =
        (isNumber() && other.kind == Kind.OTHER) || (kind == Kind.OTHER && other.isNumber());
    return different ? comparison.ofDifferentKinds() : Outcomes.ANY;
  }

  private int ofNumbers(Comparison comparison, QuickNumber other) {
    if (kind == Kind.INT && other.kind == Kind.INT) {
      return comparison.outcomes(Long.compare(whole, other.whole));
    }
    if (!isKnown() || !other.isKnown()) {
      return Outcomes.EITHER;
    }
    if (other.kind == Kind.INT) {
      return comparison.outcomes(Numbers.ofInt(fraction, other.whole));
    }
    return comparison.outcomes(
        kind == Kind.INT
            ? -Numbers.ofInt(other.fraction, whole)
            : Double.compare(fraction, other.fraction));
  }
}
