package hourglass.query.where.json;

import dev.cel.common.values.NullValue;
import java.nio.charset.StandardCharsets;

/**
 * A JSON value as CEL has it: an int where it is written as a whole number and fits into 64 bits, a
 * double for every other number, string, bool, null, list, map. Lists and maps are views of the
 * bytes, read as far as they are looked at.
 */
public final class JsonValue {
  /** Digits that cannot overflow a long. */
  private static final int SAFE_DIGITS = 18;

  private JsonValue() {}

  /**
   * The value in {@code [from, to)}, with no space around it.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Object of(byte[] bytes, int from, int to) {
    if (from >= to) {
      throw JsonScan.endsTooSoon();
    }
    return switch (bytes[from]) {
      case '{' -> new JsonObject(bytes, from, to);
      case '[' -> new JsonList(bytes, from, to);
      case '"' -> JsonText.decode(bytes, from + 1, to - 1);
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
