package hourglass.query;

import java.util.Arrays;

/** A stretch of an answer's body, written by the encoders and used again once it was sent. */
public final class Chunk {
  private final int standardBytes;
  private byte[] bytes;
  private int length;

  /** A chunk of so many bytes; a single event that is larger makes its chunk grow. */
  public Chunk(int standardBytes) {
    this.standardBytes = standardBytes;
    bytes = new byte[standardBytes];
  }

  /** The array that begins with the {@link #length} bytes of this chunk. */
  public byte[] bytes() {
    return bytes;
  }

  public int length() {
    return length;
  }

  /** Holds what was written into its array up to an end, exclusive. */
  public void writtenTo(int end) {
    length = end;
  }

  /** Forgets what it holds, and what it grew. */
  public void clear() {
    length = 0;
    if (bytes.length > standardBytes) {
      bytes = new byte[standardBytes];
    }
  }

  /** Holds the first bytes of an array, copied, instead of what it held. */
  public void replace(byte[] source, int count) {
    if (bytes.length < count) {
      bytes = new byte[count];
    }
    System.arraycopy(source, 0, bytes, 0, count);
    length = count;
  }

  /**
   * Appends as much of some bytes as there is room for.
   *
   * @return how many were appended
   */
  public int fill(byte[] source, int from, int count) {
    int fitting = Math.min(count, bytes.length - length);
    System.arraycopy(source, from, bytes, length, fitting);
    length += fitting;
    return fitting;
  }

  /** Makes room for so many bytes more; refuses if that takes growth and there is something. */
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

  /** Appends, growing as needed. */
  public void append(byte[] source) {
    if (bytes.length - length < source.length) {
      bytes = Arrays.copyOf(bytes, Math.addExact(length, source.length));
    }
    System.arraycopy(source, 0, bytes, length, source.length);
    length += source.length;
  }
}
