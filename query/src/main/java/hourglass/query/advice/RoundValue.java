package hourglass.query.advice;

/** Rounds values to those that people usually set. */
final class RoundValue {
  private static final long MIB = 1 << 20;

  private RoundValue() {}

  /** The least of 1, 2, 5, 10, 20, ... that is at least {@code atLeast}. */
  static long up(double atLeast) {
    for (long power = 1; power <= Long.MAX_VALUE / 10; power *= 10) {
      for (long digit : new long[] {1, 2, 5}) {
        if (digit * power >= atLeast) {
          return digit * power;
        }
      }
    }
    return Long.MAX_VALUE;
  }

  /** The greatest of 1, 2, 5, 10, 20, ... that is at most {@code atMost}; at least 1. */
  static long down(double atMost) {
    long above = up(atMost);
    long first = Long.parseLong(Long.toString(above).substring(0, 1));
    return above <= atMost || above == 1 ? above : first == 5 ? above / 5 * 2 : above / 2;
  }

  /** The least power of two in MiB that is at least {@code atLeastBytes}, in bytes. */
  static long mebibytesUp(double atLeastBytes) {
    long bytes = MIB;
    while (bytes < atLeastBytes && bytes <= Long.MAX_VALUE / 2) {
      bytes *= 2;
    }
    return bytes;
  }

  /** A size as in the configuration, like {@code 16 MiB}. */
  static String mebibytesText(long bytes) {
    return bytes / MIB + " MiB";
  }
}
