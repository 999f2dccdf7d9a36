package hourglass.query.where;

import hourglass.query.where.QuickNumber.Kind;
import org.jspecify.annotations.Nullable;

/** The arithmetic of CEL on two numbers. Overflow and division by zero are left to the library. */
enum Arithmetic {
  PLUS("_+_"),
  MINUS("_-_"),
  TIMES("_*_"),
  DIVIDED_BY("_/_"),
  MODULO("_%_");

  private final String function;

  Arithmetic(String function) {
    this.function = function;
  }

  /** Null for any other function. */
  static @Nullable Arithmetic of(String function) {
    for (Arithmetic operation : values()) {
      if (operation.function.equals(function)) {
        return operation;
      }
    }
    return null;
  }

  QuickNumber of(QuickNumber a, QuickNumber b) {
    if (a.kind() == Kind.ERROR || b.kind() == Kind.ERROR) {
      return QuickNumber.ERROR;
    }
    if (a.kind() == Kind.OTHER || b.kind() == Kind.OTHER) {
      return ofOthers(a, b);
    }
    if (!a.isKnown() || !b.isKnown()) {
      return QuickNumber.UNKNOWN;
    }
    if (a.kind() != b.kind()) {
      return QuickNumber.ERROR;
    }
    return a.kind() == Kind.INT
        ? ofInts(a.whole(), b.whole())
        : ofDoubles(a.fraction(), b.fraction());
  }

  private QuickNumber ofOthers(QuickNumber a, QuickNumber b) {
    return this == PLUS && !a.isNumber() && !b.isNumber() ? QuickNumber.UNKNOWN : QuickNumber.ERROR;
  }

  private QuickNumber ofInts(long a, long b) {
    try {
      return switch (this) {
        case PLUS -> QuickNumber.of(Math.addExact(a, b));
        case MINUS -> QuickNumber.of(Math.subtractExact(a, b));
        case TIMES -> QuickNumber.of(Math.multiplyExact(a, b));
        case DIVIDED_BY -> isDivisible(a, b) ? QuickNumber.of(a / b) : QuickNumber.UNKNOWN;
        case MODULO -> isDivisible(a, b) ? QuickNumber.of(a % b) : QuickNumber.UNKNOWN;
      };
    } catch (ArithmeticException overflow) {
      return QuickNumber.UNKNOWN;
    }
  }

  private static boolean isDivisible(long a, long b) {
    return b != 0 && !(a == Long.MIN_VALUE && b == -1);
  }

  private QuickNumber ofDoubles(double a, double b) {
    return switch (this) {
      case PLUS -> QuickNumber.of(a + b);
      case MINUS -> QuickNumber.of(a - b);
      case TIMES -> QuickNumber.of(a * b);
      case DIVIDED_BY -> QuickNumber.of(a / b);
      case MODULO -> QuickNumber.ERROR;
    };
  }
}
