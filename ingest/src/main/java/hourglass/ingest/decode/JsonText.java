package hourglass.ingest.decode;

import hourglass.bytes.Utf8;
import java.nio.charset.StandardCharsets;

/** The text of JSON strings that have been scanned already. */
public final class JsonText {
  private static final int SHOWN_CHARS_MAX = 64;

  private JsonText() {}

  /** The text inside the quotes, escapes resolved. */
  public static String text(byte[] b, int from, int to) {
    String raw = new String(b, from, to - from, StandardCharsets.UTF_8);
    int escape = raw.indexOf('\\');
    if (escape < 0) {
      return raw;
    }
    StringBuilder text = new StringBuilder(raw.length()).append(raw, 0, escape);
    for (int i = escape; i < raw.length(); i++) {
      if (raw.charAt(i) != '\\') {
        text.append(raw.charAt(i));
      } else if (raw.charAt(++i) == 'u') {
        text.append((char) Integer.parseInt(raw, i + 1, i + 5, 16));
        i += 4;
      } else {
        text.append(unescaped(raw.charAt(i)));
      }
    }
    return text.toString();
  }

  /** Of an escape with one letter or sign. */
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

  /** Of four hexadecimal digits. */
  static char unicode(byte[] b, int at) {
    int c = 0;
    for (int i = at; i < at + 4; i++) {
      c = c << 4 | Character.digit(b[i], 16);
    }
    return (char) c;
  }

  /** For comparing: half a surrogate pair equals nothing that is well-formed. */
  static byte[] unescape(byte[] b, int from, int to) {
    byte[] utf8 = Utf8.encode(text(b, from, to));
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
