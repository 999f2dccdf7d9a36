package hourglass.ingest.decode;

import hourglass.bytes.LineBreaks;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The unpacked bytes of a request, then {@link #PADDING} zeros. They must not change while in use.
 *
 * <p>JSON allows a zero nowhere. So the scanner reads eight bytes at a time, and needs no check for
 * the end.
 */
public final class Body {
  public static final int PADDING = 8;

  private final byte[] bytes;
  private final int length;

  private Body(byte[] bytes, int length) {
    this.bytes = bytes;
    this.length = length;
  }

  /** Uses an array without a copy, and clears its padding after {@code length} bytes of body. */
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

  /** Returns the array, padding included. */
  public byte[] bytes() {
    return bytes;
  }

  public int length() {
    return length;
  }

  /** Returns the position of the next line feed, or the end of the body. */
  public int lineEnd(int from) {
    int end = LineBreaks.lineFeed(bytes, from, length);
    return end < 0 ? length : end;
  }

  /** Returns a read-only view of the bytes without the padding. */
  public ByteBuffer toBuffer() {
    return ByteBuffer.wrap(bytes, 0, length).slice().asReadOnlyBuffer();
  }

  static byte[] padded(byte[] b) {
    return Arrays.copyOf(b, b.length + PADDING);
  }
}
