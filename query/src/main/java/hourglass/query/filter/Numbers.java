package hourglass.query.filter;

import com.google.common.primitives.UnsignedLong;

/**
 * Compares numbers by mathematical value, across kinds. {@code -0.0} equals 0, and {@code NaN} is
 * unequal to everything and has no order.
 */
public final class Numbers {
  public static final int NO_ORDER = 2;

  private static final double TWO_TO_63 = 0x1p63;
  private static final double TWO_TO_64 = 0x1p64;

  private Numbers() {}

  /** Returns -1, 0, 1 or {@link #NO_ORDER}. */
  public static int compare(Number a, Number b) {
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

  /** Returns -1, 0, 1 or {@link #NO_ORDER}. */
  static int ofDoubles(double a, double b) {
    if (a < b) {
      return -1;
    }
    return a > b ? 1 : a == b ? 0 : NO_ORDER;
  }

  private static int ofInt(double a, long b) {
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

  /** Compares a double with a uint above 63 bits. */
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

  private static boolean isHuge(Number number) {
    return number instanceof UnsignedLong && number.longValue() < 0;
  }

  /** Whether a double is whole and in the range of int or uint. */
  public static boolean isWhole(double number) {
    return number == Math.rint(number) && number >= -TWO_TO_63 && number < TWO_TO_64;
  }

  public static Number whole(double number) {
    return number < TWO_TO_63
        ? Long.valueOf((long) number)
        : UnsignedLong.fromLongBits((long) (number - TWO_TO_63) - Long.MIN_VALUE);
  }
}
