package hourglass.ingest.decode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Reads up to eight bytes at once; eight must be there, as in a {@link Body}. */
final class Words {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Words() {}

  /** The eight bytes at a position, the first in the lowest bits. */
  static long at(byte[] b, int at) {
    return (long) LONGS.get(b, at);
  }

  /** The first bytes of {@code [at, at + length)}, at most eight, and zeros. */
  static long prefix(byte[] b, int at, int length) {
    long word = (long) LONGS.get(b, at);
    return length >= 8 ? word : word & (1L << 8 * length) - 1;
  }

  /** A copy of {@code [from, to)} that can be read so. */
  static byte[] padded(byte[] b, int from, int to) {
    byte[] copy = Arrays.copyOfRange(b, from, to);
    return Arrays.copyOf(copy, copy.length + Body.PADDING);
  }
}
