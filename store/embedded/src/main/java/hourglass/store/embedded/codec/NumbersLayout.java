package hourglass.store.embedded.codec;

/**
 * The format of a run of numbers; the reader must know their count.
 *
 * <pre>
 *   +-------+-----------------+----------------+-----------------+------------------------+
 *   | mode  | first number    | base           | unit            | planes                 |
 *   | 1     | zigzag varint,  | zigzag varint  | varint, where   | one frame a plane, see |
 *   |       | where DELTA     |                | UNIT            | {@link CompressedBytes}         |
 *   +-------+-----------------+----------------+-----------------+------------------------+
 *
 *   mode   width (4 bits) | DELTA | UNIT
 *   number = base + unit * offset, where DELTA added to the number before it
 *   width  0      every offset is 0; no plane
 *          1 2 3  offsets of 1, 2, 4 bits, the first in the lowest bits; one plane
 *          4..11  offsets of 1 to 8 bytes; a plane for each byte, the lowest first
 * </pre>
 *
 * Arithmetic is modulo 2^64. Planes separate the noisy low bytes, which do not compress, from the
 * high ones, which are nearly all alike. So 1,500 random times cost no more than their entropy.
 */
final class NumbersLayout {
  static final int WIDTH_MASK = 0x0f;
  static final int DELTA = 0x10;
  static final int UNIT = 0x20;
  static final int KNOWN = WIDTH_MASK | DELTA | UNIT;

  /** The width code of one byte; less are bits, more are bytes. */
  static final int WIDTH_BYTE = 4;

  static final int WIDTH_MAX = WIDTH_BYTE + Long.BYTES - 1;

  private NumbersLayout() {}

  /** The width code for offsets up to this one, as an unsigned number. */
  static int widthOf(long offsetMax) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(offsetMax);
    if (bits <= 2) {
      return bits;
    }
    return bits <= 4 ? 3 : WIDTH_BYTE + (bits - 1) / Byte.SIZE;
  }

  /** Bits of an offset of a width below {@link #WIDTH_BYTE}. */
  static int bitsOf(int width) {
    return 1 << width - 1;
  }
}
