package hourglass.load.importing;

/**
 * Distinguishes lines of text that begin an event from those that continue one, by their first
 * character. The server gives a line without a time that of the line before, so a batch should not
 * begin with such a line:
 *
 * <pre>
 * 2026-11-20T08:30:00Z ERROR failed      the first line, so digits begin an event
 * java.io.IOException: closed            a letter: not like the first
 *     at shop.Cart.pay(Cart.java:12)     indented
 * </pre>
 */
final class LineHeads {
  private static final int UNKNOWN = -1;

  private int first = UNKNOWN;

  /** Returns whether a line resembles the first one that is not indented. */
  boolean isLikeFirst(byte[] bytes, int from) {
    if (bytes[from] == ' ' || bytes[from] == '\t') {
      return false;
    }
    int kind = kind(bytes[from]);
    first = first == UNKNOWN ? kind : first;
    return kind == first;
  }

  private static int kind(byte character) {
    if (character >= '0' && character <= '9') {
      return '0';
    }
    boolean isLetter = (character | 0x20) >= 'a' && (character | 0x20) <= 'z';
    return isLetter ? 'a' : character & 0xff;
  }
}
