package hourglass.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Finds, compares and copies eight bytes at a time, as little-endian words. Mycroft's test for a
 * zero byte (1987) finds a byte.
 */
public final class ByteWords {
  /** The bytes that arrays of a copy need after their content. */
  public static final int SLACK = 64;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;
  private static final long QUOTES = ONES * '"';
  private static final long POINTS = ONES * '.';
  private static final long COMMAS = ONES * ',';
  private static final long BRACES = ONES * '}';
  private static final long CASES = ONES * 0x20;
  private static final long BLANKS = ONES * ' ';
  private static final long BACKSLASHES = ONES * '\\';

  private ByteWords() {}

  public static long get(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at);
  }

  public static void set(byte[] bytes, int at, long word) {
    LONG.set(bytes, at, word);
  }

  public static int getInt(byte[] bytes, int at) {
    return (int) INT.get(bytes, at);
  }

  public static void setInt(byte[] bytes, int at, int value) {
    INT.set(bytes, at, value);
  }

  /** Copies bytes. It may read and write up to 16 bytes beyond the end, within the slack. */
  public static void copy(byte[] source, int from, byte[] target, int at, int length) {
    LONG.set(target, at, (long) LONG.get(source, from));
    LONG.set(target, at + 8, (long) LONG.get(source, from + 8));
    if (length > 2 * Long.BYTES) {
      copyRest(source, from, target, at, length);
    }
  }

  private static void copyRest(byte[] source, int from, byte[] target, int at, int length) {
    if (length > SLACK) {
      System.arraycopy(source, from, target, at, length);
      return;
    }
    for (int i = 2 * Long.BYTES; i < length; i += Long.BYTES) {
      LONG.set(target, at + i, (long) LONG.get(source, from + i));
    }
  }

  public static boolean equal(byte[] a, int fromA, byte[] b, int fromB, int length) {
    if (length < Long.BYTES) {
      return head(a, fromA, length) == head(b, fromB, length);
    }
    int last = length - Long.BYTES;
    for (int i = 0; i < last; i += Long.BYTES) {
      if ((long) LONG.get(a, fromA + i) != (long) LONG.get(b, fromB + i)) {
        return false;
      }
    }
    return (long) LONG.get(a, fromA + last) == (long) LONG.get(b, fromB + last);
  }

  /** Returns eight bytes as a word, with zeros above at the end of the array. */
  public static long head(byte[] bytes, int from) {
    return from <= bytes.length - Long.BYTES
        ? (long) LONG.get(bytes, from)
        : head(bytes, from, bytes.length - from);
  }

  /** Returns up to eight bytes as a word, with zeros above if there are fewer. */
  public static long head(byte[] bytes, int from, int length) {
    if (from <= bytes.length - Long.BYTES) {
      long word = (long) LONG.get(bytes, from);
      return length >= Long.BYTES ? word : word & (1L << length * Byte.SIZE) - 1;
    }
    long word = 0;
    for (int i = Math.min(length, Long.BYTES) - 1; i >= 0; i--) {
      word = word << Byte.SIZE | bytes[from + i] & 0xff;
    }
    return word;
  }

  public static long mix(long value) {
    return (value ^ value >>> 29) * 0x9E3779B97F4A7C15L;
  }

  /** Returns the position of the first such byte in {@code [from, to)}; -1 if there is none. */
  public static int find(byte sought, byte[] bytes, int from, int to) {
    long all = (sought & 0xff) * ONES;
    int i = from;
    for (int end = Math.min(to, bytes.length - 7); i < end; i += Long.BYTES) {
      long found = zeros((long) LONG.get(bytes, i) ^ all);
      if (found != 0) {
        int at = i + (Long.numberOfTrailingZeros(found) >>> 3);
        return at < to ? at : -1;
      }
    }
    while (i < to && bytes[i] != sought) {
      i++;
    }
    return i < to ? i : -1;
  }

  /** Returns the index of the first quote or backslash; 8 if there is none. */
  public static int quoteOrBackslash(long word) {
    return Long.numberOfTrailingZeros(zeros(word ^ QUOTES) | zeros(word ^ BACKSLASHES)) >>> 3;
  }

  /** Returns whether all bytes are less than a limit of 1 to 256. */
  public static boolean areBelow(int limit, byte[] bytes) {
    // The sum of a byte without its high bit and the added number has that bit, unless the byte is
    // below.
    boolean hasHigh = limit > 128;
    long added = ONES * (hasHigh ? 256 - limit : 128 - limit);
    long found = 0;
    int i = 0;
    for (; i + Long.BYTES <= bytes.length; i += Long.BYTES) {
      long word = (long) LONG.get(bytes, i);
      long sum = (word & ~HIGHS) + added;
      found |= hasHigh ? sum & word : sum | word;
    }
    for (; i < bytes.length; i++) {
      found |= (bytes[i] & 0xff) < limit ? 0 : HIGHS;
    }
    return (found & HIGHS) == 0;
  }

  /** Returns the index of the first point; 8 if there is none. */
  public static int point(long word) {
    return Long.numberOfTrailingZeros(zeros(word ^ POINTS)) >>> 3;
  }

  /**
   * Returns the index of the first comma, closing bracket, space or control character; 8 if there
   * is none.
   */
  public static int scalarEnd(long word) {
    // One bit turns ] into }, and no other byte into one of those that are searched for.
    long found = zeros(word ^ COMMAS) | zeros((word | CASES) ^ BRACES) | below(word, ' ' + 1);
    return Long.numberOfTrailingZeros(found) >>> 3;
  }

  /**
   * Returns the number of bytes, from the lowest, that a JSON string contains as they are: up to a
   * quote, a backslash, a control character or a byte beyond ASCII; 8 if there is none.
   */
  public static int plain(long word) {
    // A borrow may set a bit wrongly above the first such byte, and only the first one is used.
    long found = ((word ^ QUOTES) - ONES | (word ^ BACKSLASHES) - ONES | word - BLANKS | word);
    return Long.numberOfTrailingZeros(found & HIGHS) >>> 3;
  }

  /** Returns whether a byte is below a limit of 1 to 128. */
  public static boolean hasBelow(int limit, long word) {
    return below(word, limit) != 0;
  }

  /** Returns the high bit of each byte below a limit of 1 to 128; right only for the lowest one. */
  private static long below(long word, int limit) {
    return word - ONES * limit & ~word & HIGHS;
  }

  /** Returns the high bit of each zero byte; right only for the lowest one. */
  private static long zeros(long word) {
    return word - ONES & ~word & HIGHS;
  }
}
