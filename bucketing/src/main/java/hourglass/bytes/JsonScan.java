package hourglass.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Finds the ends of JSON values without parsing them. The text was validated on ingest, so only a
 * text that is cut off is rejected.
 *
 * <p>Positions index an array that may hold other data around the text, which ends at {@code to}.
 */
public final class JsonScan {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long SIGNS = 0x8080808080808080L;
  private static final long QUOTES = '"' * ONES;
  private static final long BACKSLASHES = '\\' * ONES;

  private JsonScan() {}

  /** At most {@code to}. */
  public static int skipSpace(byte[] bytes, int at, int to) {
    int next = at;
    while (next < to && bytes[next] <= ' ' && bytes[next] >= 0) {
      next++;
    }
    return next;
  }

  /** The position after a comma, if any, and the space around it; {@code at} follows a value. */
  public static int next(byte[] bytes, int at, int to) {
    int next = skipSpace(bytes, at, to);
    return next < to && bytes[next] == ',' ? skipSpace(bytes, next + 1, to) : next;
  }

  /** The position of the value after the name that ends at {@code nameEnd}. */
  public static int valueAfter(byte[] bytes, int nameEnd, int to) {
    return skipSpace(bytes, skipSpace(bytes, nameEnd, to) + 1, to);
  }

  /** Throws IllegalArgumentException if the text ends first. */
  public static int skipValue(byte[] bytes, int at, int to) {
    if (at >= to) {
      throw endsTooSoon();
    }
    return switch (bytes[at]) {
      case '"' -> skipString(bytes, at, to);
      case '{', '[' -> skipNested(bytes, at, to);
      default -> skipWord(bytes, at, to);
    };
  }

  /** The position after the closing quote. */
  public static int skipString(byte[] bytes, int at, int to) {
    int next = skipPlain(bytes, at + 1, to);
    while (next < to && bytes[next] == '\\') {
      next = skipPlain(bytes, next + 2, to);
    }
    if (next >= to) {
      throw endsTooSoon();
    }
    return next + 1;
  }

  /** Whether a string has an escape between its quotes, in {@code [from, to)}. */
  public static boolean hasEscape(byte[] bytes, int from, int to) {
    return skipPlain(bytes, from, to) < to;
  }

  /**
   * The position of the next quote or backslash, or at least {@code to}. Eight bytes at a time, by
   * Mycroft's test for a zero byte (1987).
   */
  public static int skipPlain(byte[] bytes, int at, int to) {
    int next = at;
    for (; next + Long.BYTES <= to; next += Long.BYTES) {
      long eight = (long) LONGS.get(bytes, next);
      long found = (zeros(eight ^ QUOTES) | zeros(eight ^ BACKSLASHES)) & SIGNS;
      if (found != 0) {
        return next + (Long.numberOfTrailingZeros(found) >>> 3);
      }
    }
    while (next < to && bytes[next] != '"' && bytes[next] != '\\') {
      next++;
    }
    return next;
  }

  /** The sign bit of the lowest zero byte, and perhaps of bytes above it. */
  private static long zeros(long bytes) {
    return bytes - ONES & ~bytes;
  }

  private static int skipNested(byte[] bytes, int at, int to) {
    int depth = 0;
    int next = at;
    while (next < to) {
      switch (bytes[next]) {
        case '"' -> next = skipString(bytes, next, to) - 1;
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        default -> {}
      }
      next++;
      if (depth == 0) {
        return next;
      }
    }
    throw endsTooSoon();
  }

  private static int skipWord(byte[] bytes, int at, int to) {
    int next = at;
    while (next < to && !endsWord(bytes[next])) {
      next++;
    }
    return next;
  }

  private static boolean endsWord(byte here) {
    return here == ',' || here == '}' || here == ']' || (here <= ' ' && here >= 0);
  }

  /** For a text that is cut off. */
  public static IllegalArgumentException endsTooSoon() {
    return new IllegalArgumentException("payload: ends inside of a value");
  }
}
