package hourglass.ingest.decode;

import hourglass.bytes.JsonString;
import hourglass.bytes.Utf8;
import java.nio.charset.StandardCharsets;

/** The text of JSON strings that have been scanned already. */
public final class JsonText {
  private static final int SHOWN_CHARS_MAX = 64;

  private JsonText() {}

  /** The character of an escape with one letter or sign. */
  static char unescaped(char c) {
    return switch (c) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> c;
    };
  }

  /** The character of four hexadecimal digits. */
  static char unicode(byte[] b, int at) {
    int c = 0;
    for (int i = at; i < at + 4; i++) {
      c = c << 4 | Character.digit(b[i], 16);
    }
    return (char) c;
  }

  /** The UTF-8 of a text, to be compared: half a surrogate pair equals no well-formed text. */
  static byte[] unescape(byte[] b, int from, int to) {
    byte[] utf8 = Utf8.encode(JsonString.decode(b, from, to));
    return utf8 == null ? new byte[] {(byte) 0xff} : utf8;
  }

  /** Replaces ill-formed UTF-8, and shortens long text. */
  static String shown(byte[] b, int from, int to) {
    int bytesShown = Math.min(to - from, 4 * SHOWN_CHARS_MAX);
    String text = new String(b, from, bytesShown, StandardCharsets.UTF_8);
    if (bytesShown == to - from && text.length() <= SHOWN_CHARS_MAX) {
      return text;
    }
    int cut = Math.min(SHOWN_CHARS_MAX, text.length());
    boolean splitsPair = Character.isHighSurrogate(text.charAt(cut - 1));
    return text.substring(0, splitsPair ? cut - 1 : cut) + "...";
  }
}
