package hourglass.bytes;

/**
 * Finds line breaks, and keeps a payload on one line. JSON strings escape line breaks, so a raw
 * line break is between tokens, and a space is equivalent.
 */
public final class LineBreaks {
  private LineBreaks() {}

  /** Returns whether a byte is a line feed or a carriage return. */
  public static boolean isBreak(int b) {
    return b == '\n' || b == '\r';
  }

  /** Returns the position of the first line feed in {@code [from, to)}; -1 if there is none. */
  public static int lineFeed(byte[] bytes, int from, int to) {
    return ByteWords.find((byte) '\n', bytes, from, to);
  }

  public static void toSpaces(byte[] bytes, int from, int to) {
    int at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      // Hardly any other byte is below 16.
      if (ByteWords.hasBelow(16, ByteWords.get(bytes, at))) {
        replace(bytes, at, at + Long.BYTES);
      }
    }
    replace(bytes, at, to);
  }

  private static void replace(byte[] bytes, int from, int to) {
    for (int at = from; at < to; at++) {
      if (isBreak(bytes[at])) {
        bytes[at] = ' ';
      }
    }
  }
}
