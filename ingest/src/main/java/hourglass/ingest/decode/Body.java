package hourglass.ingest.decode;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The unpacked bytes of a request, then {@link #PADDING} zeros. They must not change while in use.
 *
 * <p>A zero is allowed nowhere in JSON. So the scanner reads eight bytes at a time, and needs no
 * check for the end.
 */
public final class Body {
  public static final int PADDING = 8;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;
  private static final long LINE_FEEDS = '\n' * ONES;

  private final byte[] bytes;
  private final int length;

  private Body(byte[] bytes, int length) {
    this.bytes = bytes;
    this.length = length;
  }

  /** Takes an array over and clears its padding, behind {@code length} bytes of body. */
  public static Body ofPadded(byte[] bytes, int length) {
    if (length < 0 || length > bytes.length - PADDING) {
      throw new IllegalArgumentException(
          "length: " + length + ", want 0 to " + (bytes.length - PADDING));
    }
    Arrays.fill(bytes, length, length + PADDING, (byte) 0);
    return new Body(bytes, length);
  }

  public static Body copyOf(byte[] bytes) {
    return new Body(padded(bytes), bytes.length);
  }

  /** The array, padding included. */
  public byte[] bytes() {
    return bytes;
  }

  public int length() {
    return length;
  }

  /** The position of the next line feed, or the end of the body; eight bytes a step. */
  public int lineEnd(int from) {
    for (int i = from; i < length; i += 8) {
      long word = word(bytes, i) ^ LINE_FEEDS;
      long hits = word - ONES & ~word & HIGHS;
      if (hits != 0) {
        return Math.min(length, i + (Long.numberOfTrailingZeros(hits) >>> 3));
      }
    }
    return length;
  }

  /** A read-only view of the bytes without the padding. */
  public ByteBuffer toBuffer() {
    return ByteBuffer.wrap(bytes, 0, length).slice().asReadOnlyBuffer();
  }

  static byte[] padded(byte[] b) {
    return Arrays.copyOf(b, b.length + PADDING);
  }

  /** The eight bytes at a position, the first in the lowest bits. */
  static long word(byte[] b, int at) {
    return (long) LONGS.get(b, at);
  }

  static void putWord(byte[] b, int at, long word) {
    LONGS.set(b, at, word);
  }

  /** The first bytes, at most eight, and zeros; eight must be readable at {@code at}. */
  static long prefix(byte[] b, int at, int length) {
    long word = (long) LONGS.get(b, at);
    return length >= 8 ? word : word & (1L << 8 * length) - 1;
  }
}
