package hourglass.query.filter;

import hourglass.bytes.JsonNumber;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * A value of the payload, or arithmetic on such values, as far as a comparison of numbers goes.
 * Immutable.
 *
 * @param value of an INT as a long, and of a DOUBLE as one that is finite and no negative zero;
 *     otherwise 0
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

  /** Up to this length each number has a double of its own. */
  private static final int FRACTION_DIGITS = 15;

  /** Below it, whole numbers have a double of their own. */
  private static final double WHOLE_DOUBLES = 1e15;

  public static TermValue of(long whole) {
    return new TermValue(Kind.INT, whole);
  }

  /** Values without a JSON spelling are left open. */
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

  /** The only number with this value, in any spelling of a known value; absent if unsure. */
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
