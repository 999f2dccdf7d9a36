package hourglass.store.pages.runs;

/**
 * The greatest common divisor of the numbers until now. It multiplies, as a division takes ten
 * times as long (H. S. Warren, Hacker's Delight, 10-16 and 10-17). Not thread-safe; reused.
 */
final class CommonDivisor {
  // The value is odd << zeros. A multiple of odd, times odd's inverse modulo 2^64, is the quotient;
  // other numbers give a result above limit.
  private long value;
  private int zeros;
  private long inverse;
  private long limit;

  void clear() {
    value = 0;
  }

  /** The divisor; 0 if all numbers until now were 0. */
  long value() {
    return value;
  }

  /** Includes a number; false if the only divisor left is 1. */
  boolean include(long number) {
    if (value != 0 && isMultiple(number)) {
      return true;
    }
    value = greatest(number, value);
    if (value > 1) {
      zeros = Long.numberOfTrailingZeros(value);
      long odd = value >>> zeros;
      inverse = inverse(odd);
      limit = Long.divideUnsigned(-1, odd);
    }
    return value != 1;
  }

  private boolean isMultiple(long number) {
    return (number & (1L << zeros) - 1) == 0
        && Long.compareUnsigned((number >>> zeros) * inverse, limit) <= 0;
  }

  long divide(long number) {
    return (number >>> zeros) * inverse;
  }

  private static long greatest(long a, long b) {
    long x = a;
    long y = b;
    while (y != 0) {
      long rest = x % y;
      x = y;
      y = rest;
    }
    return x;
  }

  /** The inverse modulo 2^64. Each step doubles the correct bits, beginning with three. */
  private static long inverse(long odd) {
    long inverse = odd;
    for (int bits = 3; bits < Long.SIZE; bits *= 2) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }
}
