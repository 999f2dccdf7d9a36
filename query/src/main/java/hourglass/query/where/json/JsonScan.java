package hourglass.query.where.json;

/**
 * Finds the ends of JSON values without parsing them. The text was validated on ingest, so only a
 * text that is cut off is rejected.
 *
 * <p>Positions index an array that may hold other data around the text, which ends at {@code to}.
 */
public final class JsonScan {
  private JsonScan() {}

  /** At most {@code to}. */
  public static int skipSpace(byte[] bytes, int at, int to) {
    int next = at;
    while (next < to && bytes[next] <= ' ' && bytes[next] >= 0) {
      next++;
    }
    return next;
  }

  /** Throws IllegalArgumentException if the text ends first. */
  public static int skipValue(byte[] bytes, int at, int to) {
    if (at >= to) {
      throw endsTooSoon();
    }
    return switch (bytes[at]) {
      case '"' -> skipString(bytes, at, to);
      case '{', '[' -> skipNested(bytes, at, to);
      default -> skipWord(bytes, at, to);
    };
  }

  /** The position after the closing quote. */
  static int skipString(byte[] bytes, int at, int to) {
    for (int next = at + 1; next < to; next++) {
      byte here = bytes[next];
      if (here == '"') {
        return next + 1;
      }
      if (here == '\\') {
        next++;
      }
    }
    throw endsTooSoon();
  }

  private static int skipNested(byte[] bytes, int at, int to) {
    int depth = 0;
    int next = at;
    while (next < to) {
      switch (bytes[next]) {
        case '"' -> next = skipString(bytes, next, to) - 1;
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        default -> {}
      }
      next++;
      if (depth == 0) {
        return next;
      }
    }
    throw endsTooSoon();
  }

  private static int skipWord(byte[] bytes, int at, int to) {
    int next = at;
    while (next < to && !endsWord(bytes[next])) {
      next++;
    }
    return next;
  }

  private static boolean endsWord(byte here) {
    return here == ',' || here == '}' || here == ']' || (here <= ' ' && here >= 0);
  }

  static IllegalArgumentException endsTooSoon() {
    return new IllegalArgumentException("payload: ends inside of a value");
  }
}
