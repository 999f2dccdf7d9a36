package hourglass.bytes;

/**
 * Converts decimal digits, eight in a word, the first in the lowest byte. There is no loop, so no
 * branch is guessed wrong where lengths differ.
 */
public final class Decimals {
  /** The most digits that fit a long, whatever the number. */
  public static final int DIGITS_MAX = 18;

  private static final int WORD_DIGITS = Long.BYTES;
  private static final int WORD_END = 100_000_000;
  private static final long ZEROS = 0x3030303030303030L;
  private static final long[] POWERS = new long[DIGITS_MAX + 2];

  static {
    POWERS[0] = 1;
    for (int i = 1; i <= DIGITS_MAX; i++) {
      POWERS[i] = POWERS[i - 1] * 10;
    }
    POWERS[DIGITS_MAX + 1] = Long.MAX_VALUE;
  }

  private Decimals() {}

  public static long power(int exponent) {
    return POWERS[exponent];
  }

  public static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  /** Returns the number of digits of a number from 0 on; at least 1. */
  public static int digits(long value) {
    // 1233 / 4096 is a little less than log10(2).
    int guess = (Long.SIZE - Long.numberOfLeadingZeros(value | 1)) * 1233 >>> 12;
    return guess + (value >= POWERS[guess] || guess == 0 ? 1 : 0);
  }

  /** Returns the last {@code count} digits of a number below 10^8, in the lowest bytes. */
  public static long word(long value, int count) {
    return digits8(value) >>> (WORD_DIGITS - count) * Byte.SIZE;
  }

  /**
   * Returns eight digits. It divides two, four and eight lanes of a word at once, by
   * multiplication.
   */
  private static long digits8(long value) {
    long high = value / 10_000;
    long fours = high | value - high * 10_000 << 32;
    long hundreds = fours * 10_486 >>> 20 & 0x0000007f_0000007fL;
    long twos = (fours - 100 * hundreds << 16) + hundreds;
    long tens = twos * 103 >>> 10 & 0x000f000f_000f000fL;
    return ZEROS | tens + (twos - 10 * tens << 8);
  }

  /**
   * Writes the last 1 to 19 digits of a number from 0 on. It may write up to 7 bytes beyond them.
   */
  public static void write(long value, int count, byte[] out, int at) {
    if (count <= WORD_DIGITS) {
      ByteWords.set(out, at, word(value >= WORD_END ? value % WORD_END : value, count));
      return;
    }
    long high = value / WORD_END;
    write(high, count - WORD_DIGITS, out, at);
    ByteWords.set(out, at + count - WORD_DIGITS, digits8(value - high * WORD_END));
  }

  /** Returns the number in the lowest 1 to 8 bytes; -1 if one of them is no digit. */
  public static long parse(long word, int count) {
    int shift = (WORD_DIGITS - count) * Byte.SIZE;
    long digits = word << shift | ZEROS & (1L << shift) - 1;
    // The bytes 0x30 to 0x39 begin with 3, also when 6 is added; no other byte does both.
    if ((digits & digits + 0x0606060606060606L & 0xf0f0f0f0f0f0f0f0L) != ZEROS) {
      return -1;
    }
    long values = digits - ZEROS;
    long twos = values * 10 + (values >>> 8);
    long low = (twos & 0x000000ff_000000ffL) * 0x000f4240_00000064L;
    long high = (twos >>> 16 & 0x000000ff_000000ffL) * 0x00002710_00000001L;
    return low + high >>> 32;
  }

  /** Returns the number of 1 to 18 digits; -1 if there is anything else among them. */
  public static long read(byte[] bytes, int from, int count) {
    if (count <= WORD_DIGITS) {
      return parse(ByteWords.head(bytes, from, count), count);
    }
    long low = parse(ByteWords.get(bytes, from + count - WORD_DIGITS), WORD_DIGITS);
    long high = read(bytes, from, count - WORD_DIGITS);
    return low < 0 || high < 0 ? -1 : high * WORD_END + low;
  }
}
