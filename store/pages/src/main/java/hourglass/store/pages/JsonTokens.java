package hourglass.store.pages;

import hourglass.bytes.ByteWords;

/** Guesses the ends of JSON values. A wrong guess only costs space. */
final class JsonTokens {
  private JsonTokens() {}

  static byte kind(byte first) {
    return switch (first) {
      case '"' -> ValueSpans.STRING;
      case '{', '[' -> ValueSpans.COMPOUND;
      default -> ValueSpans.SCALAR;
    };
  }

  /** -1 if the value is not of the kind. */
  static int valueEnd(byte kind, byte[] payload, int from, int to) {
    if (from >= to) {
      return -1;
    }
    byte first = payload[from];
    return switch (kind) {
      case ValueSpans.STRING -> stringEnd(payload, from, to);
      case ValueSpans.SCALAR -> beginsScalar(first) ? scalarEnd(payload, from, to) : -1;
      default -> first == '[' || first == '{' ? compoundEnd(payload, from, to) : -1;
    };
  }

  /** -1 if none. */
  static int stringEnd(byte[] bytes, int from, int to) {
    int at = from;
    for (int end = Math.min(to, bytes.length - 7); at < end; at += Long.BYTES) {
      long quotes = ByteWords.quotesNotEscaped(ByteWords.get(bytes, at));
      for (; quotes != 0; quotes &= quotes - 1) {
        int quote = at + (Long.numberOfTrailingZeros(quotes) >>> 3);
        if (!isEscaped(bytes, from, quote)) {
          return quote < to ? quote : -1;
        }
      }
    }
    while (at < to && (bytes[at] != '"' || isEscaped(bytes, from, at))) {
      at++;
    }
    return at < to ? at : -1;
  }

  /** Whether an odd number of backslashes is before a position. */
  private static boolean isEscaped(byte[] bytes, int from, int position) {
    int at = position;
    while (at > from && bytes[at - 1] == '\\') {
      at--;
    }
    return (position - at & 1) != 0;
  }

  /** {@code to} if none. */
  static int scalarEnd(byte[] bytes, int from, int to) {
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

  private static boolean endsScalar(byte b) {
    return b == ',' || b == '}' || b == ']' || b >= 0 && b <= ' ';
  }

  private static boolean beginsScalar(byte b) {
    return !endsScalar(b) && b != '"' && b != '{' && b != '[' && b != ':';
  }

  /** After the closing bracket; -1 if none. */
  static int compoundEnd(byte[] bytes, int from, int to) {
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

  static int skipSpace(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && bytes[at] >= 0 && bytes[at] <= ' ') {
      at++;
    }
    return at;
  }
}
