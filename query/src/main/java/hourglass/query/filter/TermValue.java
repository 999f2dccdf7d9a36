package hourglass.query.filter;

import hourglass.bytes.JsonNumber;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * A value of the payload, or the result of arithmetic on such values, as far as a comparison of
 * numbers needs it. Immutable.
 *
 * @param value a long if the kind is INT, a double if it is DOUBLE, which is finite and not a
 *     negative zero, and otherwise 0
 */
public record TermValue(Kind kind, Number value) {
  public enum Kind {
    INT,
    DOUBLE,
    OTHER,
    ERROR,
    /** A value or an error. */
    UNKNOWN
  }

  public static final TermValue OTHER = new TermValue(Kind.OTHER, 0);
  public static final TermValue ERROR = new TermValue(Kind.ERROR, 0);
  public static final TermValue UNKNOWN = new TermValue(Kind.UNKNOWN, 0);

  /** The number of digits up to which different numbers have different doubles. */
  private static final int FRACTION_DIGITS = 15;

  /** The bound below which different whole numbers have different doubles. */
  private static final double WHOLE_DOUBLES = 1e15;

  public static TermValue of(long whole) {
    return new TermValue(Kind.INT, whole);
  }

  /** Returns a double. It is unknown if JSON has no spelling for it. */
  public static TermValue of(double fraction) {
    boolean special = !Double.isFinite(fraction) || Double.compare(fraction, -0.0) == 0;
    return special ? UNKNOWN : new TermValue(Kind.DOUBLE, fraction);
  }

  /** Reads the JSON value in {@code [from, to)}, without white space around it. */
  public static TermValue of(byte[] bytes, int from, int to) {
    if (!JsonNumber.begins(bytes[from])) {
      return OTHER;
    }
    try {
      Long whole = JsonNumber.whole(bytes, from, to);
      return whole != null ? of(whole.longValue()) : of(JsonNumber.of(bytes, from, to));
    } catch (NumberFormatException e) {
      return UNKNOWN; // of a damaged payload
    }
  }

  /**
   * Returns the only number with this value, in any spelling; empty if the value is not known or
   * the number not certain.
   */
  Optional<BigDecimal> exact() {
    if (kind == Kind.INT) {
      return Optional.of(BigDecimal.valueOf(value.longValue()));
    }
    if (kind != Kind.DOUBLE || Math.abs(value.doubleValue()) >= WHOLE_DOUBLES) {
      return Optional.empty();
    }
    BigDecimal shortest = BigDecimal.valueOf(value.doubleValue()).stripTrailingZeros();
    return shortest.precision() <= FRACTION_DIGITS ? Optional.of(shortest) : Optional.empty();
  }

  boolean isNumber() {
    return kind == Kind.INT || kind == Kind.DOUBLE;
  }

  int outcomes(Comparison comparison, TermValue other) {
    if (kind == Kind.ERROR || other.kind == Kind.ERROR) {
      return Outcomes.ERROR;
    }
    if (isNumber() && other.isNumber()) {
      return comparison.outcomes(Numbers.compare(value, other.value));
    }
    boolean different =
        (isNumber() && other.kind == Kind.OTHER) || (kind == Kind.OTHER && other.isNumber());
    return different ? comparison.ofDifferentKinds() : Outcomes.ANY;
  }
}
