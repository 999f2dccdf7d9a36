package hourglass.query.where.json;

import dev.cel.common.values.NullValue;
import java.nio.charset.StandardCharsets;

/**
 * Converts JSON values to values of CEL. A whole number of at most 64 bits is an int, any other a
 * double. Lists and maps are views of the bytes.
 */
public final class JsonValue {
  /** Digits that cannot overflow a long. */
  private static final int SAFE_DIGITS = 18;

  private JsonValue() {}

  /** Throws IllegalArgumentException if the value in {@code [from, to)} is cut off. */
  public static Object of(byte[] bytes, int from, int to) {
    if (from >= to) {
      throw JsonScan.endsTooSoon();
    }
    return switch (bytes[from]) {
      case '{' -> new JsonObject(bytes, from, to);
      case '[' -> new JsonList(bytes, from, to);
      case '"' -> JsonString.decode(bytes, from + 1, to - 1);
      case 't' -> true;
      case 'f' -> false;
      case 'n' -> NullValue.NULL_VALUE;
      default -> number(bytes, from, to);
    };
  }

  private static Object number(byte[] bytes, int from, int to) {
    boolean negative = bytes[from] == '-';
    int first = negative ? from + 1 : from;
    long value = 0;
    for (int at = first; at < to; at++) {
      int digit = bytes[at] - '0';
      if (digit < 0 || digit > 9) {
        return Double.valueOf(text(bytes, from, to));
      }
      value = value * 10 + digit;
    }
    return to - first <= SAFE_DIGITS ? (negative ? -value : value) : large(text(bytes, from, to));
  }

  private static Object large(String number) {
    try {
      return Long.valueOf(number);
    } catch (NumberFormatException e) {
      return Double.valueOf(number);
    }
  }

  private static String text(byte[] bytes, int from, int to) {
    return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
  }
}
