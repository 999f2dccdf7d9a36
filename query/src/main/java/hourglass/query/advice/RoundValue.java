package hourglass.query.advice;

/** Values as a person would set them. */
final class RoundValue {
  private static final long MIB = 1 << 20;

  private RoundValue() {}

  /** The least of 1, 2, 5, 10, 20, ... that is not below a number. */
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

  /** The greatest of 1, 2, 5, 10, 20, ... that is not above a number; at least 1. */
  static long down(double atMost) {
    long above = up(atMost);
    long first = Long.parseLong(Long.toString(above).substring(0, 1));
    return above <= atMost || above == 1 ? above : first == 5 ? above / 5 * 2 : above / 2;
  }

  /** The least power of two in MiB that is not below a number of bytes. */
  static long mebibytesUp(double atLeastBytes) {
    long bytes = MIB;
    while (bytes < atLeastBytes && bytes <= Long.MAX_VALUE / 2) {
      bytes *= 2;
    }
    return bytes;
  }

  /** As in {@code 16 MiB}, which is how settings spell sizes. */
  static String mebibytesText(long bytes) {
    return bytes / MIB + " MiB";
  }
}
