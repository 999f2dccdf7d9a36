package hourglass.store.pages.hashes;

import java.util.Arrays;

/**
 * The form of a word, by which a {@link WordDictionary} lists it: a byte of 1 stands for each id in
 * it, so that many words have one form. Other words are their own forms.
 *
 * <pre>
 *   refused, node12      refused, node12
 *   4bf92f35, 500        1            a whole word of hexadecimal digits, one of them decimal
 *   order4711_x          order 1 _x       three decimal digits or more
 *   code4711             co 1             d and e are hexadecimal digits, too
 * </pre>
 *
 * Not thread-safe; reused.
 */
final class WordForm {
  /**
   * The byte that stands for one hexadecimal digit or more. No word contains it. It is not 0, since
   * the hash of a word pads it with zeros: the form of {@code n4711} would have that of {@code m}.
   */
  static final byte ID = 1;

  /**
   * The least decimal digits of an id that is a part of a word. With fewer, a few hundred words
   * differ in the digits alone.
   */
  private static final int ID_DIGITS_MIN = 3;

  /** The longest form that is listed, in bytes. Its positions are bits of a long. */
  static final int BYTES_MAX = 63;

  private byte[] bytes = new byte[64];
  private int length;

  /** Begins with a word in {@code [from, to)}. */
  void reset(byte[] word, int from, int to) {
    if (bytes.length < to - from) {
      bytes = new byte[2 * (to - from)];
    }
    if (!hasDigit(word, from, to)) {
      length = to - from;
      System.arraycopy(word, from, bytes, 0, length);
      return;
    }
    length = 0;
    for (int at = from; at < to; ) {
      int end = at;
      int digits = 0;
      for (; end < to && WordHash.isHex(word[end]); end++) {
        digits += word[end] <= '9' ? 1 : 0;
      }
      boolean isWhole = at == from && end == to;
      if (digits >= (isWhole ? 1 : ID_DIGITS_MIN)) {
        bytes[length++] = ID;
      } else {
        System.arraycopy(word, at, bytes, length, end - at);
        length += end - at;
      }
      at = end;
      while (at < to && !WordHash.isHex(word[at])) {
        bytes[length++] = word[at++];
      }
    }
  }

  static boolean hasDigit(byte[] word, int from, int to) {
    for (int at = from; at < to; at++) {
      if (word[at] >= '0' && word[at] <= '9') {
        return true;
      }
    }
    return false;
  }

  /** Whether a part of the word is an id. */
  boolean hasId() {
    for (int i = 0; i < length; i++) {
      if (bytes[i] == ID) {
        return true;
      }
    }
    return false;
  }

  boolean isLong() {
    return length > BYTES_MAX;
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  long hash() {
    return ValueHash.word(bytes, 0, length);
  }

  @Override
  public String toString() {
    return Arrays.toString(Arrays.copyOf(bytes, length));
  }
}
