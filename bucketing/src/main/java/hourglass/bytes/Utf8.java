package hourglass.bytes;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Encodes, decodes and checks well-formed UTF-8, by table 3-7 of the Unicode standard. */
public final class Utf8 {
  private static final int SHOWN_CHARS_MAX = 64;

  private Utf8() {}

  /** Returns the text; null if the bytes are not well-formed. */
  public static @Nullable String decode(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /** Returns the bytes; null if the text contains half a surrogate pair. */
  public static byte @Nullable [] encode(String text) {
    try {
      ByteBuffer utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      byte[] bytes = new byte[utf8.remaining()];
      utf8.get(bytes);
      return bytes;
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /** Returns a text for a message: ill-formed UTF-8 is replaced, and a long text is shortened. */
  public static String shown(byte[] b, int from, int to) {
    int bytesShown = Math.min(to - from, 4 * SHOWN_CHARS_MAX);
    String text = new String(b, from, bytesShown, StandardCharsets.UTF_8);
    if (bytesShown == to - from && text.length() <= SHOWN_CHARS_MAX) {
      return text;
    }
    int cut = Math.min(SHOWN_CHARS_MAX, text.length());
    boolean splitsPair = Character.isHighSurrogate(text.charAt(cut - 1));
    return text.substring(0, splitsPair ? cut - 1 : cut) + "...";
  }

  /**
   * Returns the position after a byte order mark at {@code from}, or {@code from} if there is none.
   */
  public static int afterMark(byte[] b, int from, int to) {
    boolean hasMark =
        to - from >= 3
            && b[from] == (byte) 0xef
            && b[from + 1] == (byte) 0xbb
            && b[from + 2] == (byte) 0xbf;
    return hasMark ? from + 3 : from;
  }

  /**
   * Returns the length of the well-formed sequence of several bytes at a position, or 0. Overlong
   * forms, surrogates and values above U+10FFFF are not well-formed. At least one byte that is no
   * continuation must follow the text.
   */
  public static int sequence(byte[] b, int at) {
    int lead = b[at] & 0xff;
    if (lead < 0xc2 || lead > 0xf4) {
      return 0;
    }
    if (lead < 0xe0) {
      return isContinuation(b[at + 1]) ? 2 : 0;
    }
    if (!isSecond(lead, b[at + 1] & 0xff) || !isContinuation(b[at + 2])) {
      return 0;
    }
    if (lead < 0xf0) {
      return 3;
    }
    return isContinuation(b[at + 3]) ? 4 : 0;
  }

  private static boolean isSecond(int lead, int second) {
    int lowest = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    int highest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    return second >= lowest && second <= highest;
  }

  private static boolean isContinuation(byte b) {
    return (b & 0xc0) == 0x80;
  }
}
