package hourglass.store.embedded.page;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Bytes eight at a time: short texts are found, compared and copied without a loop per byte. */
final class Words {
  /** Arrays that are copied from or to are longer than their content by so much. */
  static final int SLACK = 64;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;
  private static final long QUOTES = ONES * '"';
  private static final long BACKSLASHES = ONES * '\\';

  private Words() {}

  static long get(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at);
  }

  static void set(byte[] bytes, int at, long word) {
    LONG.set(bytes, at, word);
  }

  /** Copies; may read and write up to 7 bytes beyond the end, within both arrays' slack. */
  static void copy(byte[] source, int from, byte[] target, int at, int length) {
    if (length > SLACK) {
      System.arraycopy(source, from, target, at, length);
      return;
    }
    for (int i = 0; i < length; i += Long.BYTES) {
      LONG.set(target, at + i, (long) LONG.get(source, from + i));
    }
  }

  static boolean equal(byte[] a, int fromA, byte[] b, int fromB, int length) {
    int i = 0;
    for (; i <= length - Long.BYTES; i += Long.BYTES) {
      if ((long) LONG.get(a, fromA + i) != (long) LONG.get(b, fromB + i)) {
        return false;
      }
    }
    if (i > 0 && i < length) {
      int last = length - Long.BYTES;
      return (long) LONG.get(a, fromA + last) == (long) LONG.get(b, fromB + last);
    }
    for (; i < length; i++) {
      if (a[fromA + i] != b[fromB + i]) {
        return false;
      }
    }
    return true;
  }

  /** A hash of some bytes: of the first and last sixteen, and the length. */
  static int hash(byte[] bytes, int from, int length) {
    long hash = length;
    if (length >= Long.BYTES) {
      hash = mix(hash ^ get(bytes, from)) ^ get(bytes, from + length - Long.BYTES);
      if (length > 2 * Long.BYTES) {
        hash = mix(hash) ^ get(bytes, from + Long.BYTES);
        hash = mix(hash) ^ get(bytes, from + length - 2 * Long.BYTES);
      }
    } else {
      for (int i = 0; i < length; i++) {
        hash = hash << 8 ^ bytes[from + i];
      }
    }
    return (int) (mix(hash) >>> 32);
  }

  static long mix(long value) {
    return (value ^ value >>> 29) * 0x9E3779B97F4A7C15L;
  }

  /**
   * The first quote or backslash within {@code [from, to)}; {@code to} or beyond if there is none.
   */
  static int quoteOrBackslash(byte[] bytes, int from, int to) {
    int i = from;
    for (int end = Math.min(to, bytes.length - 7); i < end; i += Long.BYTES) {
      long word = (long) LONG.get(bytes, i);
      long found = zeros(word ^ QUOTES) | zeros(word ^ BACKSLASHES);
      if (found != 0) {
        return i + (Long.numberOfTrailingZeros(found) >>> 3);
      }
    }
    while (i < to && bytes[i] != '"' && bytes[i] != '\\') {
      i++;
    }
    return i;
  }

  /** The high bit of each zero byte; right for the lowest one, which is all that counts here. */
  private static long zeros(long word) {
    return word - ONES & ~word & HIGHS;
  }
}
