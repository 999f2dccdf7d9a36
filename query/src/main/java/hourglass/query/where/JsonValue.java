package hourglass.query.where;

import hourglass.bytes.JsonNumber;
import hourglass.bytes.JsonScan;
import hourglass.bytes.JsonString;

/**
 * Converts JSON values to values of CEL. A whole number of at most 64 bits becomes an int, any
 * other number a double. Lists and maps read their bytes when they are used.
 */
final class JsonValue {
  private JsonValue() {}

  /**
   * Returns the value in {@code [from, to)}. Throws IllegalArgumentException if it is cut off or
   * not a value.
   */
  static Object of(byte[] bytes, int from, int to) {
    return of(bytes, from, to, false);
  }

  /** Returns the value of a whole payload, like {@link #of}. */
  static Object ofPayload(byte[] bytes, int from, int to) {
    return of(bytes, from, to, true);
  }

  private static Object of(byte[] bytes, int from, int to, boolean isPayload) {
    if (from >= to) {
      throw JsonScan.endsTooSoon();
    }
    return switch (bytes[from]) {
      case '{' -> new JsonObject(bytes, from, to, isPayload);
      case '[' -> new JsonList(bytes, from, to);
      case '"' -> JsonString.decode(bytes, from + 1, to - 1);
      case 't' -> true;
      case 'f' -> false;
      case 'n' -> Special.NULL;
      default -> number(bytes, from, to);
    };
  }

  private static Number number(byte[] bytes, int from, int to) {
    Number whole = JsonNumber.whole(bytes, from, to);
    return whole != null ? whole : Double.valueOf(JsonNumber.text(bytes, from, to));
  }
}
