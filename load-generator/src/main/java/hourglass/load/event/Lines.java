package hourglass.load.event;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Finds lines in bytes. */
public final class Lines {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;

  private Lines() {}

  /** The first line break in [from, to), or -1. Compares eight bytes at a time. */
  public static int indexOfBreak(byte[] bytes, int from, int to) {
    int at = from;
    for (; at <= to - Long.BYTES; at += Long.BYTES) {
      long word = (long) LONG.get(bytes, at) ^ ONES * '\n';
      long zeros = (word - ONES) & ~word & HIGHS;
      if (zeros != 0) {
        return at + (Long.numberOfTrailingZeros(zeros) >>> 3);
      }
    }
    for (; at < to; at++) {
      if (bytes[at] == '\n') {
        return at;
      }
    }
    return -1;
  }

  /** As JSON defines white space. */
  public static boolean isBlank(byte[] bytes, int from, int to) {
    return skipSpace(bytes, from, to) == to;
  }

  /** The first index without white space, or {@code to}. */
  public static int skipSpace(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && isSpace(bytes[at])) {
      at++;
    }
    return at;
  }

  public static int trimEnd(byte[] bytes, int from, int to) {
    int end = to;
    while (end > from && isSpace(bytes[end - 1])) {
      end--;
    }
    return end;
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }
}
