package hourglass.store.embedded.codec;

import hourglass.store.CorruptException;

/**
 * Small numbers that select a value for each column. Not thread-safe.
 *
 * <pre>
 *   of 1            nothing
 *   of 2, 4, 16     1, 2, 4 bits each, the first in the lowest bits; a frame, see {@link CompressedBytes}
 *   of up to 256    a byte each; a frame
 * </pre>
 *
 * The reader must know the number of values and of columns. Several indexes share a byte, since a
 * frame spends at least a bit on each byte.
 */
final class Indexes {
  static final int OF_MAX = 256;

  private final CompressedBytes frames;
  private byte[] packed = new byte[0];

  Indexes(CompressedBytes frames) {
    this.frames = frames;
  }

  private static int bits(int of) {
    if (of <= 4) {
      return of <= 2 ? 1 : 2;
    }
    return of <= 16 ? 4 : Byte.SIZE;
  }

  void write(byte[] indexes, int count, int of, PageOutput out) {
    if (of == 1 || count == 0) {
      return;
    }
    int bits = bits(of);
    if (bits == Byte.SIZE) {
      frames.write(indexes, 0, count, out);
      return;
    }
    packed = CompressedBytes.room(packed, count);
    frames.write(packed, 0, pack(indexes, count, bits, packed), out);
  }

  /** The first value is in the lowest bits; returns the bytes used. */
  static int pack(byte[] values, int count, int bits, byte[] packed) {
    int length = packedBytes(count, bits);
    for (int at = 0, i = 0; at < length; at++) {
      int together = 0;
      for (int shift = 0; shift < Byte.SIZE && i < count; shift += bits, i++) {
        together |= values[i] << shift;
      }
      packed[at] = (byte) together;
    }
    return length;
  }

  static int packedBytes(int count, int bits) {
    int perByte = Byte.SIZE / bits;
    return (count + perByte - 1) / perByte;
  }

  /** Indexes of up to 256 values are signed bytes. */
  byte[] read(PageInput in, String what, int count, int of) {
    byte[] indexes = new byte[count];
    if (of == 1 || count == 0) {
      return indexes;
    }
    int bits = bits(of);
    if (bits == Byte.SIZE) {
      frames.read(in, what, count, indexes);
    } else {
      unpack(in, what, bits, indexes);
    }
    check(indexes, what, of);
    return indexes;
  }

  private void unpack(PageInput in, String what, int bits, byte[] indexes) {
    int length = packedBytes(indexes.length, bits);
    packed = frames.read(in, what, length, packed);
    int mask = (1 << bits) - 1;
    for (int at = 0, i = 0; at < length; at++) {
      int together = packed[at];
      for (int shift = 0; shift < Byte.SIZE && i < indexes.length; shift += bits, i++) {
        indexes[i] = (byte) (together >> shift & mask);
      }
    }
  }

  private static void check(byte[] indexes, String what, int of) {
    int greatest = 0;
    for (byte index : indexes) {
      greatest = Math.max(greatest, index & 0xff);
    }
    if (greatest >= of) {
      throw new CorruptException("page: " + what + ": number " + greatest + " of " + of);
    }
  }
}
