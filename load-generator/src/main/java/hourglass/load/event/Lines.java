package hourglass.load.event;

/** Skips the white space around events, as JSON defines it. */
public final class Lines {
  private Lines() {}

  public static boolean isBlank(byte[] bytes, int from, int to) {
    return skipSpace(bytes, from, to) == to;
  }

  /** Returns the first index without white space, or {@code to}. */
  public static int skipSpace(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && isSpace(bytes[at])) {
      at++;
    }
    return at;
  }

  public static int trimEnd(byte[] bytes, int from, int to) {
    int end = to;
    while (end > from && isSpace(bytes[end - 1])) {
      end--;
    }
    return end;
  }

  public static boolean isSpace(int b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }
}
