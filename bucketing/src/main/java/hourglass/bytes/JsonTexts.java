package hourglass.bytes;

/**
 * Finds the texts of a payload, one after the other: keys, strings, numbers and literals.
 *
 * <pre>
 *   {"status":500,"tags":["a b",null]}     status, 500, tags, a b, null
 *   connection refused                     connection refused
 * </pre>
 *
 * A payload whose first byte after white space is none of <code>{</code>, {@code [} and {@code "}
 * is no JSON, and is one text. Any other is read as JSON as far as it goes. Not thread-safe;
 * reused.
 */
public final class JsonTexts {
  private byte[] bytes = {};
  private int at;
  private int end;
  private boolean isJson;
  private int from;
  private int to;
  private boolean isString;

  /** Begins with the payload in {@code [payloadFrom, payloadTo)}. */
  public void reset(byte[] payload, int payloadFrom, int payloadTo) {
    bytes = payload;
    at = payloadFrom;
    end = payloadTo;
    int first = JsonScan.skipSpace(payload, payloadFrom, payloadTo);
    isJson = first < payloadTo && isOpening(payload[first]);
  }

  private static boolean isOpening(byte b) {
    return b == '{' || b == '[' || b == '"';
  }

  /** Finds the next text; false if there is none. */
  public boolean next() {
    if (!isJson) {
      from = at;
      to = end;
      at = end;
      isString = false;
      return from < to;
    }
    while (at < end && isBetween(bytes[at])) {
      at++;
    }
    if (at == end) {
      return false;
    }
    isString = bytes[at] == '"';
    if (isString) {
      from = at + 1;
      int close = JsonScan.stringEnd(bytes, from, end);
      to = close < 0 ? end : close;
      at = Math.min(to + 1, end);
    } else {
      from = at;
      while (at < end && bytes[at] != '"' && !isBetween(bytes[at])) {
        at++;
      }
      to = at;
    }
    return true;
  }

  private static boolean isBetween(byte b) {
    return switch (b) {
      case ',', ':', '{', '}', '[', ']' -> true;
      default -> JsonScan.isSpace(b);
    };
  }

  /** Returns the position of the text, after the quote of a string. */
  public int from() {
    return from;
  }

  /** Returns the end of the text, at the closing quote of a string. */
  public int to() {
    return to;
  }

  /** Whether the text is a string or a key, which may contain escapes. */
  public boolean isString() {
    return isString;
  }
}
