package hourglass.query.encode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Keeps a payload on one line. JSON strings escape line breaks, so a raw line break is between
 * tokens, and a space is equivalent.
 */
public final class LineBreaks {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final long ONES = 0x0101010101010101L;
  private static final long SIGNS = 0x8080808080808080L;

  private LineBreaks() {}

  public static void toSpaces(byte[] bytes, int from, int to) {
    int at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      if (hasControl((long) LONGS.get(bytes, at))) {
        replace(bytes, at, at + Long.BYTES);
      }
    }
    replace(bytes, at, to);
  }

  /** Whether one of eight bytes is below 16, like line breaks and hardly any other byte. */
  private static boolean hasControl(long word) {
    return (word - 16 * ONES & ~word & SIGNS) != 0;
  }

  private static void replace(byte[] bytes, int from, int to) {
    for (int at = from; at < to; at++) {
      if (bytes[at] == '\n' || bytes[at] == '\r') {
        bytes[at] = ' ';
      }
    }
  }
}
