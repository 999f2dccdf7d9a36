package hourglass.store.pages.runs;

import hourglass.bytes.ByteWords;
import hourglass.store.CorruptException;

/**
 * Small numbers that select a value for each column.
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
public final class Indexes {
  public static final int OF_MAX = 256;

  private Indexes() {}

  private static int bits(int of) {
    if (of <= 4) {
      return of <= 2 ? 1 : 2;
    }
    return of <= 16 ? 4 : Byte.SIZE;
  }

  public static void write(
      byte[] indexes, int count, int of, CompressedBytes frames, PageOutput out) {
    if (of > 1 && count > 0) {
      frames.writeBits(indexes, count, bits(of), out);
    }
  }

  /**
   * Reads indexes as bytes; those of up to 256 values are unsigned, although Java's bytes are
   * signed.
   */
  public static byte[] read(CompressedBytes frames, PageInput in, String what, int count, int of) {
    byte[] indexes = new byte[count];
    if (of > 1 && count > 0) {
      frames.readBits(in, what, count, bits(of), indexes);
      check(indexes, what, of);
    }
    return indexes;
  }

  public static void skip(CompressedBytes frames, PageInput in, String what, int count, int of) {
    if (of > 1 && count > 0) {
      frames.skip(in, what);
    }
  }

  private static void check(byte[] indexes, String what, int of) {
    if (ByteWords.areBelow(of, indexes)) {
      return;
    }
    int greatest = 0;
    for (byte index : indexes) {
      greatest = Math.max(greatest, index & 0xff);
    }
    throw new CorruptException("page: " + what + ": number " + greatest + " of " + of);
  }
}
