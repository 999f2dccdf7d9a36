package hourglass.bytes;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Searches bytes for a text of at least one byte, by the algorithm of Horspool (1980). Immutable.
 */
public final class ByteSearch {
  private static final int UPPER_TO_LOWER = 0x20;

  /** The text, in lower case if case is ignored. */
  private final byte[] text;

  private final boolean ignoreCase;

  /** The jump of the window for each value of its last byte; 0 for the last byte of the text. */
  private final int[] jumps = new int[256];

  private final int jumpAtLast;

  /**
   * Prepares a search for a text.
   *
   * @param ignoreCase whether A to Z equal a to z
   */
  public ByteSearch(byte[] text, boolean ignoreCase) {
    if (text.length == 0) {
      throw new IllegalArgumentException("a search for nothing");
    }
    this.text = text.clone();
    this.ignoreCase = ignoreCase;
    for (int i = 0; i < text.length; i++) {
      this.text[i] = fold(text[i]);
    }
    int last = text.length - 1;
    Arrays.fill(jumps, text.length);
    for (int i = 0; i < last; i++) {
      jump(this.text[i], last - i);
    }
    jumpAtLast = jumps[this.text[last] & 0xff];
    jump(this.text[last], 0);
  }

  private void jump(byte folded, int jump) {
    jumps[folded & 0xff] = jump;
    if (ignoreCase && folded >= 'a' && folded <= 'z') {
      jumps[folded - UPPER_TO_LOWER] = jump;
    }
  }

  private byte fold(byte b) {
    return ignoreCase && b >= 'A' && b <= 'Z' ? (byte) (b + UPPER_TO_LOWER) : b;
  }

  public int length() {
    return text.length;
  }

  /** Returns the text, in lower case if case is ignored. */
  public byte[] text() {
    return text.clone();
  }

  /** Returns a search for another text, in the same way. */
  public ByteSearch of(byte[] other) {
    return new ByteSearch(other, ignoreCase);
  }

  /** Returns whether all bytes that contain the other text contain this one. */
  public boolean isIn(ByteSearch other) {
    return (ignoreCase || !other.ignoreCase) && find(other.text, 0, other.text.length) >= 0;
  }

  /** Returns whether the text consists of these ASCII characters only. */
  public boolean isOf(String characters) {
    for (byte b : text) {
      if (characters.chars().noneMatch(c -> fold((byte) c) == b)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the position at which the text first begins, wholly in {@code [from, to)}; -1 if there
   * is none.
   */
  public int find(byte[] bytes, int from, int to) {
    int last = text.length - 1;
    if (last <= 1 && !ignoreCase) {
      return last == 0 ? ByteWords.find(text[0], bytes, from, to) : findTwo(bytes, from, to);
    }
    for (int at = from + last; at < to; ) {
      int jump = jumps[bytes[at] & 0xff];
      if (jump == 0) {
        if (isAt(bytes, at - last)) {
          return at - last;
        }
        jump = jumpAtLast;
      }
      at += jump;
    }
    return -1;
  }

  /** Finds a text of two bytes, whose window would jump by two at most, by the first of them. */
  private int findTwo(byte[] bytes, int from, int to) {
    int at = ByteWords.find(text[0], bytes, from, to - 1);
    while (at >= 0 && bytes[at + 1] != text[1]) {
      at = ByteWords.find(text[0], bytes, at + 1, to - 1);
    }
    return at;
  }

  /**
   * Compares the text with the bytes at a position. The JDK compares many bytes at a time, which
   * helps where long texts nearly agree.
   */
  private boolean isAt(byte[] bytes, int at) {
    return ignoreCase
        ? agrees(bytes, at, at, at + text.length)
        : Arrays.equals(bytes, at, at + text.length, text, 0, text.length);
  }

  /**
   * Returns whether the text, laid at {@code at}, equals the bytes that it covers in {@code [from,
   * to)}.
   */
  public boolean agrees(byte[] bytes, int at, int from, int to) {
    int end = Math.min(text.length, to - at);
    for (int i = Math.max(0, from - at); i < end; i++) {
      if (fold(bytes[at + i]) != text[i]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return new String(text, StandardCharsets.UTF_8);
  }
}
