package hourglass.bytes;

/**
 * Writes hexadecimal digits, eight at a time inside a long, since every event has a column name.
 */
public final class Hex {
  private Hex() {}

  /** Returns the eight digits of 32 bits as ASCII, the first digit in the highest byte. */
  public static long eight(int bits) {
    return eight(bits, 'a');
  }

  /** Returns the digits as {@link #eight(int)} does, with letters in upper case. */
  public static long eightUpper(int bits) {
    return eight(bits, 'A');
  }

  private static long eight(int bits, int letterA) {
    long x = bits & 0xFFFF_FFFFL;
    x = (x & 0xFFFF_0000L) << 16 | x & 0xFFFFL;
    x = (x & 0x0000_FF00_0000_FF00L) << 8 | x & 0x0000_00FF_0000_00FFL;
    x = (x & 0x00F0_00F0_00F0_00F0L) << 4 | x & 0x000F_000F_000F_000FL;
    // A digit from 10 on carries out of its four bits when 6 is added, and is written as a letter.
    long letters = x + 0x0606_0606_0606_0606L >>> 4 & 0x0101_0101_0101_0101L;
    return x + 0x3030_3030_3030_3030L + letters * (letterA - '0' - 10);
  }
}
