package hourglass.ingest.decode;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The decoded bytes of a request, followed by {@link #PADDING} zero bytes. Must not be changed
 * while it is in use.
 *
 * <p>The zeros let the scanner read eight bytes at a time and do without a check for the end: a
 * zero is allowed nowhere in JSON, so whatever is read stops there.
 */
public final class Body {
  /** Bytes of an array that must stay free behind the body. */
  public static final int PADDING = 8;

  private final byte[] bytes;
  private final int length;

  private Body(byte[] bytes, int length) {
    this.bytes = bytes;
    this.length = length;
  }

  /**
   * Takes an array over, and clears the padding.
   *
   * @param length bytes of the body; at least {@link #PADDING} less than the array has
   */
  public static Body ofPadded(byte[] bytes, int length) {
    if (length < 0 || length > bytes.length - PADDING) {
      throw new IllegalArgumentException(
          "length: " + length + ", want 0 to " + (bytes.length - PADDING));
    }
    Arrays.fill(bytes, length, length + PADDING, (byte) 0);
    return new Body(bytes, length);
  }

  /** A body with a copy of these bytes. */
  public static Body copyOf(byte[] bytes) {
    return new Body(Arrays.copyOf(bytes, bytes.length + PADDING), bytes.length);
  }

  /** The array, padding included. */
  byte[] bytes() {
    return bytes;
  }

  public int length() {
    return length;
  }

  /** The bytes without the padding, to be read only. */
  public ByteBuffer toBuffer() {
    return ByteBuffer.wrap(bytes, 0, length).slice().asReadOnlyBuffer();
  }
}
