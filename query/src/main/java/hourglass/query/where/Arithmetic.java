package hourglass.query.where;

import hourglass.query.where.Quantity.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The arithmetic of CEL on two numbers. Numbers of different kinds are an error. Overflow and
 * division by zero are left to the library.
 */
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

  /** The operation of a function name; null for any other function. */
  static @Nullable Arithmetic of(String function) {
    for (Arithmetic operation : values()) {
      if (operation.function.equals(function)) {
        return operation;
      }
    }
    return null;
  }

  Quantity of(Quantity a, Quantity b) {
    if (a.kind() == Kind.ERROR || b.kind() == Kind.ERROR) {
      return Quantity.ERROR;
    }
    if (a.kind() == Kind.OTHER || b.kind() == Kind.OTHER) {
      return ofOthers(a, b);
    }
    if (!a.isKnown() || !b.isKnown()) {
      return Quantity.UNKNOWN;
    }
    if (a.kind() != b.kind()) {
      return Quantity.ERROR;
    }
    return a.kind() == Kind.INT
        ? ofInts(a.whole(), b.whole())
        : ofDoubles(a.fraction(), b.fraction());
  }

  /** Texts and lists can be added, but never to a number. */
  private Quantity ofOthers(Quantity a, Quantity b) {
    return this == PLUS && !a.isNumber() && !b.isNumber() ? Quantity.UNKNOWN : Quantity.ERROR;
  }

  private Quantity ofInts(long a, long b) {
    try {
      return switch (this) {
        case PLUS -> Quantity.of(Math.addExact(a, b));
        case MINUS -> Quantity.of(Math.subtractExact(a, b));
        case TIMES -> Quantity.of(Math.multiplyExact(a, b));
        case DIVIDED_BY -> isDivisible(a, b) ? Quantity.of(a / b) : Quantity.UNKNOWN;
        case MODULO -> isDivisible(a, b) ? Quantity.of(a % b) : Quantity.UNKNOWN;
      };
    } catch (ArithmeticException overflow) {
      return Quantity.UNKNOWN;
    }
  }

  private static boolean isDivisible(long a, long b) {
    return b != 0 && !(a == Long.MIN_VALUE && b == -1);
  }

  private Quantity ofDoubles(double a, double b) {
    return switch (this) {
      case PLUS -> Quantity.of(a + b);
      case MINUS -> Quantity.of(a - b);
      case TIMES -> Quantity.of(a * b);
      case DIVIDED_BY -> Quantity.of(a / b);
      case MODULO -> Quantity.ERROR;
    };
  }
}
