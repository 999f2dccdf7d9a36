package hourglass.bytes;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Parses JSON numbers. */
public final class JsonNumber {
  /** The limit up to which a double can represent every whole number. */
  public static final long EXACT_MAX = 1L << 53;

  /** The most characters, with sign and point, whose digits cannot overflow a long. */
  private static final int SHORT_BYTES = 18;

  /** The powers of ten that are exact as doubles. */
  private static final double[] POWERS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18
  };

  private JsonNumber() {}

  public static boolean begins(byte first) {
    return first == '-' || (first >= '0' && first <= '9');
  }

  /**
   * Returns the number in {@code [from, to)} if it consists of digits and fits into 64 bits; else
   * null.
   */
  public static @Nullable Long whole(byte[] bytes, int from, int to) {
    boolean negative = bytes[from] == '-';
    int first = negative ? from + 1 : from;
    long digits = 0;
    for (int at = first; at < to; at++) {
      int digit = bytes[at] - '0';
      if (digit < 0 || digit > 9) {
        return null;
      }
      digits = digits * 10 + digit;
    }
    return to - first <= SHORT_BYTES
        ? Long.valueOf(negative ? -digits : digits)
        : large(text(bytes, from, to));
  }

  private static @Nullable Long large(String number) {
    try {
      return Long.valueOf(number);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /**
   * Returns the double nearest to the number in {@code [from, to)}, by a division of exact doubles
   * where possible (Clinger, 1990). It is never a negative zero, and may be infinite.
   */
  public static double of(byte[] bytes, int from, int to) {
    boolean negative = bytes[from] == '-';
    int fraction = 0;
    long digits = 0;
    for (int at = negative ? from + 1 : from; at < to; at++) {
      byte here = bytes[at];
      if (here == '.') {
        fraction = to - at - 1;
      } else if (here >= '0' && here <= '9' && to - from <= SHORT_BYTES) {
        digits = digits * 10 + (here - '0');
      } else {
        return general(bytes, from, to);
      }
    }
    if (digits > EXACT_MAX) {
      return general(bytes, from, to);
    }
    double magnitude = digits / POWERS[fraction];
    return negative ? 0 - magnitude : magnitude;
  }

  private static double general(byte[] bytes, int from, int to) {
    return Double.parseDouble(text(bytes, from, to)) + 0.0;
  }

  public static String text(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
  }
}
