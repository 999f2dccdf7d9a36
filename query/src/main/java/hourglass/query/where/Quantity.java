package hourglass.query.where;

import hourglass.query.where.json.JsonNumber;

/**
 * What a glance tells of a value that may be a number, and of what is computed from such. Nothing
 * is guessed: what a double holds only rounded, or is spelled with an exponent or more than a few
 * digits, is a number and no more. Immutable.
 *
 * @param whole the number, if it is an {@code int} of the language
 * @param fraction the number, if it is a {@code double}; finite, and no zero below zero
 */
record Quantity(Kind kind, long whole, double fraction) {

  /** How much is known. */
  enum Kind {
    /** An {@code int}, and which. */
    INT,
    /** A {@code double}, and which. */
    DOUBLE,
    /** A number. */
    NUMBER,
    /** Something that is no number, but a value. */
    OTHER,
    /** An error. */
    ERROR,
    /** Nothing: a value, or an error. */
    UNKNOWN
  }

  static final Quantity NUMBER = new Quantity(Kind.NUMBER, 0, 0);
  static final Quantity OTHER = new Quantity(Kind.OTHER, 0, 0);
  static final Quantity ERROR = new Quantity(Kind.ERROR, 0, 0);
  static final Quantity UNKNOWN = new Quantity(Kind.UNKNOWN, 0, 0);

  /** Digits that cannot overflow a long. */
  private static final int WHOLE_DIGITS = 18;

  /**
   * So many digits are exact in a double, and so is the power of ten to divide them by: then their
   * quotient is the double nearest to the number (Clinger, 1990).
   */
  private static final int FRACTION_DIGITS = 15;

  static Quantity of(long whole) {
    return new Quantity(Kind.INT, whole, 0);
  }

  /** A double; those that no JSON spells are left to the library, which has rules for them. */
  static Quantity of(double fraction) {
    boolean special = !Double.isFinite(fraction) || Double.compare(fraction, -0.0) == 0;
    return special ? UNKNOWN : new Quantity(Kind.DOUBLE, 0, fraction);
  }

  /** Of the JSON value in {@code [from, to)}, with no space around it. */
  static Quantity of(byte[] bytes, int from, int to) {
    return JsonNumber.begins(bytes[from]) ? number(bytes, from, to, bytes[from] == '-') : OTHER;
  }

  private static Quantity number(byte[] bytes, int from, int to, boolean negative) {
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

  private static Quantity fraction(long digits, int count, int behindPoint, boolean negative) {
    return count > FRACTION_DIGITS || (digits == 0 && negative)
        ? NUMBER
        : of(digits / JsonNumber.power(behindPoint));
  }

  /** Whether it is a number, and which is known. */
  boolean isKnown() {
    return kind == Kind.INT || kind == Kind.DOUBLE;
  }

  boolean isNumber() {
    return isKnown() || kind == Kind.NUMBER;
  }

  /** What may come of a comparison with another. */
  int outcomes(Comparison comparison, Quantity other) {
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

  private int ofNumbers(Comparison comparison, Quantity other) {
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
