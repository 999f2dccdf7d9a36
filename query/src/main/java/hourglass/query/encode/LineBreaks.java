package hourglass.query.encode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Keeps a payload on one line. Inside a JSON string a line break is always escaped, so one that
 * stands in a payload stands between tokens, and a space means the same.
 */
public final class LineBreaks {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
  private static final long ONES = 0x0101010101010101L;
  private static final long SIGNS = 0x8080808080808080L;

  private LineBreaks() {}

  /** Turns every line feed and carriage return in {@code [from, to)} into a space. */
  public static void toSpaces(byte[] bytes, int from, int to) {
    int at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      if (hasControl((long) LONGS.get(bytes, at))) {
        replace(bytes, at, at + Long.BYTES);
      }
    }
    replace(bytes, at, to);
  }

  /** Whether one of eight bytes is below 16, as both line breaks and hardly anything else are. */
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
