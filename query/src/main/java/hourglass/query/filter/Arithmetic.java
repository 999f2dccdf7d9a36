package hourglass.query.filter;

import hourglass.query.filter.TermValue.Kind;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * The arithmetic of CEL on two numbers. The result of an overflow or of a division by zero is
 * unknown.
 */
public enum Arithmetic {
  PLUS(Math::addExact, Double::sum),
  MINUS(Math::subtractExact, (a, b) -> a - b),
  TIMES(Math::multiplyExact, (a, b) -> a * b),
  DIVIDED_BY((a, b) -> b == -1 ? Math.negateExact(a) : a / b, (a, b) -> a / b),
  MODULO((a, b) -> b == -1 ? 0 & Math.negateExact(a) : a % b, (a, b) -> Double.NaN);

  @SuppressWarnings("ImmutableEnumChecker") // functions without state
  private final LongBinaryOperator ints;

  @SuppressWarnings("ImmutableEnumChecker")
  private final DoubleBinaryOperator doubles;

  Arithmetic(LongBinaryOperator ints, DoubleBinaryOperator doubles) {
    this.ints = ints;
    this.doubles = doubles;
  }

  TermValue of(TermValue a, TermValue b) {
    if (a.kind() == Kind.ERROR || b.kind() == Kind.ERROR) {
      return TermValue.ERROR;
    }
    if (a.kind() == Kind.OTHER || b.kind() == Kind.OTHER) {
      boolean mayBeTexts = this == PLUS && !a.isNumber() && !b.isNumber();
      return mayBeTexts ? TermValue.UNKNOWN : TermValue.ERROR;
    }
    if (!a.isNumber() || !b.isNumber()) {
      return TermValue.UNKNOWN;
    }
    if (a.kind() != b.kind() || (this == MODULO && a.kind() == Kind.DOUBLE)) {
      return TermValue.ERROR;
    }
    try {
      return a.kind() == Kind.INT
          ? TermValue.of(ints.applyAsLong(a.value().longValue(), b.value().longValue()))
          : TermValue.of(doubles.applyAsDouble(a.value().doubleValue(), b.value().doubleValue()));
    } catch (ArithmeticException e) {
      return TermValue.UNKNOWN;
    }
  }
}
