package hourglass.query.where;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import hourglass.query.where.TermValue.Kind;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/** The arithmetic of CEL on two numbers. Overflow and division by zero are left to the library. */
enum Arithmetic {
  PLUS("_+_", Math::addExact, Double::sum),
  MINUS("_-_", Math::subtractExact, (a, b) -> a - b),
  TIMES("_*_", Math::multiplyExact, (a, b) -> a * b),
  DIVIDED_BY("_/_", (a, b) -> b == -1 ? Math.negateExact(a) : a / b, (a, b) -> a / b),
  MODULO("_%_", (a, b) -> b == -1 ? 0 & Math.negateExact(a) : a % b, (a, b) -> Double.NaN);

  static final ImmutableMap<String, Arithmetic> BY_FUNCTION =
      Maps.uniqueIndex(List.of(values()), operation -> operation.function);

  private final String function;

  @SuppressWarnings("ImmutableEnumChecker") // functions without state
  private final LongBinaryOperator ints;

  @SuppressWarnings("ImmutableEnumChecker")
  private final DoubleBinaryOperator doubles;

  Arithmetic(String function, LongBinaryOperator ints, DoubleBinaryOperator doubles) {
    this.function = function;
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
