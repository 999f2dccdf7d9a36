package hourglass.store.pages.runs;

import hourglass.bytes.ByteWords;
import java.util.Arrays;

/** A growing page, little-endian. Not thread-safe; reused. */
public final class PageOutput {
  private static final int VARINT_BYTES = 10;

  private byte[] bytes = new byte[1 << 16];
  private int size;

  public void clear() {
    size = 0;
  }

  public int size() {
    return size;
  }

  /** The bytes of the page, valid until the next write. */
  public byte[] array() {
    return bytes;
  }

  public byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  public void reserve(int count) {
    if (bytes.length - size < count) {
      bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(size, count), bytes.length * 2));
    }
  }

  public void advance(int count) {
    size += count;
  }

  public void putByte(int value) {
    reserve(1);
    bytes[size++] = (byte) value;
  }

  public void putInt(int value) {
    reserve(Integer.BYTES);
    ByteWords.setInt(bytes, size, value);
    size += Integer.BYTES;
  }

  public void setInt(int at, int value) {
    ByteWords.setInt(bytes, at, value);
  }

  public void putLong(long value) {
    reserve(Long.BYTES);
    ByteWords.set(bytes, size, value);
    size += Long.BYTES;
  }

  /**
   * Puts seven bits of a value in each byte, the lowest first; the top bit is set if more follow.
   */
  public void putVarint(long value) {
    reserve(VARINT_BYTES);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  /** Puts numbers near zero in few bytes: 0, -1, 1, -2 as 0, 1, 2, 3. */
  public void putZigzag(long value) {
    putVarint(value << 1 ^ value >> 63);
  }

  public void putZeros(int count) {
    reserve(count);
    Arrays.fill(bytes, size, size + count, (byte) 0);
    size += count;
  }

  public void putBytes(byte[] source, int from, int length) {
    reserve(length);
    System.arraycopy(source, from, bytes, size, length);
    size += length;
  }
}
