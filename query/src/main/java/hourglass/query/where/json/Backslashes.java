package hourglass.query.where.json;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Searches for backslashes, eight bytes at a time, by Mycroft's test for a zero byte (1987). */
public final class Backslashes {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long SIGNS = 0x8080808080808080L;
  private static final long WANTED = '\\' * ONES;

  private Backslashes() {}

  public static boolean areIn(byte[] bytes, int from, int to) {
    int at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      long zeroWhereWanted = (long) LONGS.get(bytes, at) ^ WANTED;
      if ((zeroWhereWanted - ONES & ~zeroWhereWanted & SIGNS) != 0) {
        return true;
      }
    }
    for (; at < to; at++) {
      if (bytes[at] == '\\') {
        return true;
      }
    }
    return false;
  }
}
