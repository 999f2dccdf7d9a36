package hourglass.query;

import java.util.Arrays;

/** A piece of an answer's body, filled by the encoders and reused once it is sent. */
public final class Chunk {
  private final int standardBytes;
  private byte[] bytes;
  private int length;

  public Chunk(int standardBytes) {
    this.standardBytes = standardBytes;
    bytes = new byte[standardBytes];
  }

  /** Returns the array. Its first {@link #length} bytes are the contents. */
  public byte[] bytes() {
    return bytes;
  }

  public int length() {
    return length;
  }

  /** Sets the exclusive end of the contents after a write to the array. */
  public void writtenTo(int end) {
    length = end;
  }

  public void clear() {
    length = 0;
    if (bytes.length > standardBytes) {
      bytes = new byte[standardBytes];
    }
  }

  public void replace(byte[] source, int count) {
    if (bytes.length < count) {
      bytes = new byte[count];
    }
    System.arraycopy(source, 0, bytes, 0, count);
    length = count;
  }

  /** Appends as many bytes as fit, and returns their number. */
  public int fill(byte[] source, int from, int count) {
    int fitting = Math.min(count, bytes.length - length);
    System.arraycopy(source, from, bytes, length, fitting);
    length += fitting;
    return fitting;
  }

  /** Whether this many more bytes fit. An empty chunk grows for them; any other does not. */
  public boolean hasRoom(int wanted) {
    if (bytes.length - length >= wanted) {
      return true;
    }
    if (length > 0) {
      return false;
    }
    bytes = new byte[wanted];
    return true;
  }

  public void append(byte[] source) {
    if (bytes.length - length < source.length) {
      bytes = Arrays.copyOf(bytes, Math.addExact(length, source.length));
    }
    System.arraycopy(source, 0, bytes, length, source.length);
    length += source.length;
  }
}
