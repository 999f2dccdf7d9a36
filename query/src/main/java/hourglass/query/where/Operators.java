package hourglass.query.where;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.CelByteString;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The arithmetic of CEL. Both operands are of one kind, except for times and durations. An overflow
 * throws ArithmeticException; other mistakes are errors.
 */
final class Operators {
  private Operators() {}

  static Object plus(Object a, Object b) {
    if (a instanceof Long x && b instanceof Long y) {
      return Math.addExact(x, y);
    }
    if (a instanceof Double x && b instanceof Double y) {
      return x + y;
    }
    if (a instanceof String x && b instanceof String y) {
      return x + y;
    }
    if (a instanceof List<?> x && b instanceof List<?> y) {
      List<Object> both = new ArrayList<>(x.size() + y.size());
      both.addAll(x);
      both.addAll(y);
      return both;
    }
    if (a instanceof UnsignedLong x && b instanceof UnsignedLong y) {
      UnsignedLong sum = x.plus(y);
      return sum.compareTo(x) < 0 ? Special.ERROR : sum;
    }
    if (a instanceof CelByteString x && b instanceof CelByteString y) {
      return x.concat(y);
    }
    if (b instanceof Duration y) {
      return a instanceof Instant x
          ? Times.valid(x.plus(y))
          : a instanceof Duration x ? Times.valid(x.plus(y)) : Special.ERROR;
    }
    return a instanceof Duration x && b instanceof Instant y
        ? Times.valid(y.plus(x))
        : Special.ERROR;
  }

  static Object minus(Object a, Object b) {
    if (a instanceof Long x && b instanceof Long y) {
      return Math.subtractExact(x, y);
    }
    if (a instanceof Double x && b instanceof Double y) {
      return x - y;
    }
    if (a instanceof UnsignedLong x && b instanceof UnsignedLong y) {
      return x.compareTo(y) < 0 ? Special.ERROR : x.minus(y);
    }
    if (a instanceof Instant x && b instanceof Instant y) {
      return Duration.between(y, x);
    }
    if (b instanceof Duration y) {
      return a instanceof Instant x
          ? Times.valid(x.minus(y))
          : a instanceof Duration x ? Times.valid(x.minus(y)) : Special.ERROR;
    }
    return Special.ERROR;
  }

  static Object times(Object a, Object b) {
    if (a instanceof Long x && b instanceof Long y) {
      return Math.multiplyExact(x, y);
    }
    if (a instanceof Double x && b instanceof Double y) {
      return x * y;
    }
    if (a instanceof UnsignedLong x && b instanceof UnsignedLong y) {
      boolean overflows =
          y.longValue() != 0 && x.compareTo(UnsignedLong.MAX_VALUE.dividedBy(y)) > 0;
      return overflows ? Special.ERROR : x.times(y);
    }
    return Special.ERROR;
  }

  static Object dividedBy(Object a, Object b) {
    if (a instanceof Long x && b instanceof Long y) {
      return y == 0 ? Special.ERROR : y == -1 ? Math.negateExact(x) : x / y;
    }
    if (a instanceof Double x && b instanceof Double y) {
      return x / y;
    }
    return a instanceof UnsignedLong x && b instanceof UnsignedLong y && y.longValue() != 0
        ? x.dividedBy(y)
        : Special.ERROR;
  }

  static Object modulo(Object a, Object b) {
    if (a instanceof Long x && b instanceof Long y) {
      return y == 0 ? Special.ERROR : x % y;
    }
    return a instanceof UnsignedLong x && b instanceof UnsignedLong y && y.longValue() != 0
        ? x.mod(y)
        : Special.ERROR;
  }

  static Object negative(Object a) {
    if (a instanceof Long x) {
      return Math.negateExact(x);
    }
    return a instanceof Double x ? -x : Special.ERROR;
  }
}
