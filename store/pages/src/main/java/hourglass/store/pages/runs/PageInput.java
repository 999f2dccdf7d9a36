package hourglass.store.pages.runs;

import hourglass.bytes.ByteWords;
import hourglass.store.CorruptException;

/**
 * Reads the bytes of a page. Throws {@link CorruptException} if a value goes beyond the page's end.
 */
public final class PageInput {
  private final byte[] bytes;
  private final int end;
  private int position;

  public PageInput(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.position = from;
    this.end = end;
  }

  public byte[] array() {
    return bytes;
  }

  public int position() {
    return position;
  }

  /** Goes back to an earlier position. */
  public void rewind(int earlier) {
    position = earlier;
  }

  public int remaining() {
    return end - position;
  }

  public int skip(int count) {
    if (count < 0 || count > end - position) {
      throw new CorruptException(
          "page: " + count + " bytes wanted at " + position + ", where " + remaining() + " are");
    }
    int from = position;
    position += count;
    return from;
  }

  public int getByte() {
    return bytes[skip(1)] & 0xff;
  }

  public int getInt() {
    return ByteWords.getInt(bytes, skip(Integer.BYTES));
  }

  public long getLong() {
    return ByteWords.get(bytes, skip(Long.BYTES));
  }

  public long getVarint() {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      int next = getByte();
      value |= (next & 0x7fL) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw new CorruptException("page: a number of more than 10 bytes before " + position);
  }

  public int getCount(String what, int max) {
    long count = getVarint();
    if (count < 0 || count > max) {
      throw new CorruptException(
          "page: " + what + ": " + Long.toUnsignedString(count) + " is more than " + max);
    }
    return (int) count;
  }

  public int getCountFrom1(String what, int max) {
    int count = getCount(what, max);
    if (count == 0) {
      throw new CorruptException("page: " + what + ": 0");
    }
    return count;
  }

  public long getZigzag() {
    long value = getVarint();
    return value >>> 1 ^ -(value & 1);
  }

  public void finish() {
    if (position != end) {
      throw new CorruptException("page: " + remaining() + " bytes too many at " + position);
    }
  }
}
