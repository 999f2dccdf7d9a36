package hourglass.query.where;

import com.google.common.primitives.UnsignedLong;

/**
 * Compares the numbers of the language exactly, whatever kinds they are: an int, a uint and a
 * double are equal where they are the same point of the number line. So are {@code -0.0} and 0.
 * {@code NaN} is unequal to everything and has no order.
 *
 * <p>The library converts to doubles first, and so takes 2^53 + 1 for 2^53.
 */
final class Numbers {
  /** What {@link #compare} gives for {@code NaN}. */
  static final int NO_ORDER = 2;

  private static final double TWO_TO_63 = 0x1p63;
  private static final double TWO_TO_64 = 0x1p64;

  private Numbers() {}

  /** -1, 0 or 1, or {@link #NO_ORDER}, of two numbers of any kinds. */
  static int compare(Number a, Number b) {
    if (a instanceof Double x) {
      return ofDouble(x, b);
    }
    if (b instanceof Double y) {
      int flipped = ofDouble(y, a);
      return flipped == NO_ORDER ? flipped : -flipped;
    }
    boolean isHuge = isHuge(a);
    if (isHuge != isHuge(b)) {
      return isHuge ? 1 : -1;
    }
    return Long.compare(a.longValue(), b.longValue()); // both beyond 63 bits, or neither
  }

  private static int ofDouble(double a, Number b) {
    if (b instanceof Double y) {
      return ofDoubles(a, y);
    }
    return isHuge(b) ? ofHuge(a, b.longValue()) : ofInt(a, b.longValue());
  }

  private static int ofDoubles(double a, double b) {
    if (a < b) {
      return -1;
    }
    return a > b ? 1 : a == b ? 0 : NO_ORDER;
  }

  /** A double beside an int. */
  static int ofInt(double a, long b) {
    if (a >= TWO_TO_63) {
      return 1;
    }
    if (a < -TWO_TO_63) {
      return -1;
    }
    if (Double.isNaN(a)) {
      return NO_ORDER;
    }
    long whole = (long) a; // towards zero, and exact
    return whole != b ? Long.compare(whole, b) : ofDoubles(a - whole, 0);
  }

  /** A double beside a uint of 64 bits, its first bit set. */
  private static int ofHuge(double a, long bits) {
    if (a >= TWO_TO_64) {
      return 1;
    }
    if (Double.isNaN(a)) {
      return NO_ORDER;
    }
    // No double between 2^63 and 2^64 has a fraction.
    return a < TWO_TO_63 ? -1 : Long.compare((long) (a - TWO_TO_63), bits - Long.MIN_VALUE);
  }

  /** Whether a number is a uint that is no int. */
  private static boolean isHuge(Number number) {
    return number instanceof UnsignedLong && number.longValue() < 0;
  }

  /** Whether a double is a whole number within the ints and the uints. */
  static boolean isWhole(double number) {
    return number == Math.rint(number) && number >= -TWO_TO_63 && number < TWO_TO_64;
  }

  /** The int or uint that a whole double is; see {@link #isWhole}. */
  static Number whole(double number) {
    return number < TWO_TO_63
        ? Long.valueOf((long) number)
        : UnsignedLong.fromLongBits((long) (number - TWO_TO_63) - Long.MIN_VALUE);
  }
}
