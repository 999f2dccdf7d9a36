package hourglass.bytes;

/**
 * Finds the ends of JSON values without parsing them. The text was validated when it was ingested,
 * so only a text that is cut off is rejected: by an exception where the name of a method begins
 * with "skip", else by -1.
 *
 * <p>Positions index an array that may contain other data around the text, which ends at {@code
 * to}.
 */
public final class JsonScan {
  private JsonScan() {}

  /**
   * Returns whether a byte is white space or another control character, which never stands between
   * tokens.
   */
  public static boolean isSpace(byte b) {
    return b <= ' ' && b >= 0;
  }

  /** Returns the position after white space, at most {@code to}. */
  public static int skipSpace(byte[] bytes, int at, int to) {
    int next = at;
    while (next < to && isSpace(bytes[next])) {
      next++;
    }
    return next;
  }

  /**
   * Returns the position after a comma, if any, and the space around it; {@code at} follows a
   * value.
   */
  public static int next(byte[] bytes, int at, int to) {
    int next = skipSpace(bytes, at, to);
    return next < to && bytes[next] == ',' ? skipSpace(bytes, next + 1, to) : next;
  }

  /** Returns the position of the value after the name that ends at {@code nameEnd}. */
  public static int valueAfter(byte[] bytes, int nameEnd, int to) {
    return skipSpace(bytes, skipSpace(bytes, nameEnd, to) + 1, to);
  }

  /** Returns the position after a value. Throws IllegalArgumentException if the text ends first. */
  public static int skipValue(byte[] bytes, int at, int to) {
    if (at >= to) {
      throw endsTooSoon();
    }
    return switch (bytes[at]) {
      case '"' -> skipString(bytes, at, to);
      case '{', '[' -> whole(nestedEnd(bytes, at, to));
      default -> scalarEnd(bytes, at, to);
    };
  }

  /** Returns the position after the closing quote of the string that opens at {@code at}. */
  public static int skipString(byte[] bytes, int at, int to) {
    return whole(stringEnd(bytes, at + 1, to)) + 1;
  }

  private static int whole(int end) {
    if (end < 0) {
      throw endsTooSoon();
    }
    return end;
  }

  /**
   * Returns the closing quote of a string whose text begins at {@code from}; -1 if there is none.
   */
  public static int stringEnd(byte[] bytes, int from, int to) {
    int at = skipPlain(bytes, from, to);
    while (at < to && bytes[at] == '\\') {
      at = skipPlain(bytes, at + 2, to);
    }
    return at < to ? at : -1;
  }

  /** Returns the end of a number or a word; {@code to} if nothing follows it. */
  public static int scalarEnd(byte[] bytes, int from, int to) {
    int at = from;
    for (int end = Math.min(to, bytes.length - 7); at < end; at += Long.BYTES) {
      int found = ByteWords.scalarEnd(ByteWords.get(bytes, at));
      if (found < Long.BYTES) {
        return Math.min(at + found, to);
      }
    }
    while (at < to && !endsScalar(bytes[at])) {
      at++;
    }
    return Math.min(at, to);
  }

  public static boolean endsScalar(byte b) {
    return b == ',' || b == '}' || b == ']' || isSpace(b);
  }

  /**
   * Returns the position after an object or array that opens at {@code from}; -1 if it is cut off.
   */
  public static int nestedEnd(byte[] bytes, int from, int to) {
    int depth = 0;
    for (int at = from; at < to; at++) {
      switch (bytes[at]) {
        case '"' -> {
          at = stringEnd(bytes, at + 1, to);
          if (at < 0) {
            return -1;
          }
        }
        case '{', '[' -> depth++;
        case '}', ']' -> {
          depth--;
          if (depth == 0) {
            return at + 1;
          }
        }
        default -> {}
      }
    }
    return -1;
  }

  /** Returns whether a string contains an escape between its quotes, in {@code [from, to)}. */
  public static boolean hasEscape(byte[] bytes, int from, int to) {
    return skipPlain(bytes, from, to) < to;
  }

  /** Returns the position of the next quote or backslash, or at least {@code to}. */
  public static int skipPlain(byte[] bytes, int at, int to) {
    int next = at;
    for (; next + Long.BYTES <= to; next += Long.BYTES) {
      int plain = ByteWords.quoteOrBackslash(ByteWords.get(bytes, next));
      if (plain < Long.BYTES) {
        return next + plain;
      }
    }
    while (next < to && bytes[next] != '"' && bytes[next] != '\\') {
      next++;
    }
    return next;
  }

  /** Returns the exception for a text that is cut off. */
  public static IllegalArgumentException endsTooSoon() {
    return new IllegalArgumentException("payload: ends inside of a value");
  }
}
