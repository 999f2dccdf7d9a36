package hourglass.store.embedded.page;

/** Decimal digits, and powers of ten. */
final class Decimals {
  /** So many digits fit a long, whatever they are. */
  static final int DIGITS_MAX = 18;

  private static final long[] POWERS = new long[DIGITS_MAX + 1];

  static {
    POWERS[0] = 1;
    for (int i = 1; i <= DIGITS_MAX; i++) {
      POWERS[i] = POWERS[i - 1] * 10;
    }
  }

  private Decimals() {}

  static long power(int exponent) {
    return POWERS[exponent];
  }

  static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  /** Digits of a number, at least 1. */
  static int digits(long value) {
    int digits = 1;
    while (digits <= DIGITS_MAX && value >= POWERS[digits]) {
      digits++;
    }
    return digits;
  }

  /** Writes the last {@code count} digits of a number from 0 on. */
  static void write(long value, int count, byte[] out, int at) {
    long rest = value;
    int i = at + count - 1;
    for (; rest > Integer.MAX_VALUE && i >= at; i--) {
      out[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    int small = (int) rest;
    for (; i >= at; i--) {
      int next = small / 10;
      out[i] = (byte) ('0' + small - next * 10);
      small = next;
    }
  }

  /** Reads {@code count} digits; -1 if there is anything else among them. */
  static long read(byte[] bytes, int from, int count) {
    long value = 0;
    for (int i = from; i < from + count; i++) {
      int digit = bytes[i] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }
}
