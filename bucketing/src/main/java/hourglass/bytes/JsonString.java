package hourglass.bytes;

import java.nio.charset.StandardCharsets;

/** Decodes and compares the texts of JSON strings. */
public final class JsonString {
  private JsonString() {}

  /** Decodes the text in {@code [from, to)}, between the quotes. */
  public static String decode(byte[] bytes, int from, int to) {
    String raw = new String(bytes, from, to - from, StandardCharsets.UTF_8);
    return JsonScan.hasEscape(bytes, from, to) ? unescape(raw) : raw;
  }

  /** Returns whether {@code [from, to)}, between the quotes of a JSON string, is the text. */
  public static boolean isText(String text, byte[] bytes, int from, int to) {
    if (text.length() != to - from) {
      // An escape or a character beyond ASCII has more bytes than characters.
      return text.length() < to - from
          && !isPlain(bytes, from, to)
          && text.equals(decode(bytes, from, to));
    }
    for (int i = 0; i < text.length(); i++) {
      if (bytes[from + i] != text.charAt(i) || bytes[from + i] == '\\') {
        return false;
      }
    }
    return true;
  }

  private static boolean isPlain(byte[] bytes, int from, int to) {
    for (int at = from; at < to; at++) {
      if (bytes[at] < 0 || bytes[at] == '\\') {
        return false;
      }
    }
    return true;
  }

  private static String unescape(String raw) {
    StringBuilder text = new StringBuilder(raw.length());
    for (int at = 0; at < raw.length(); at++) {
      char here = raw.charAt(at);
      if (here != '\\') {
        text.append(here);
      } else if (raw.charAt(++at) == 'u') {
        text.append((char) Integer.parseInt(raw, at + 1, at + 5, 16));
        at += 4;
      } else {
        text.append(unescaped(raw.charAt(at)));
      }
    }
    return text.toString();
  }

  /** Returns the character of an escape with one letter or sign. */
  public static char unescaped(char c) {
    return switch (c) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> c;
    };
  }

  /** Returns the character of four hexadecimal digits. */
  public static char unicode(byte[] b, int at) {
    int c = 0;
    for (int i = at; i < at + 4; i++) {
      c = c << 4 | Character.digit(b[i], 16);
    }
    return (char) c;
  }

  /**
   * Returns the UTF-8 of a text, for comparisons: half a surrogate pair equals no well-formed text.
   */
  public static byte[] utf8(byte[] b, int from, int to) {
    byte[] utf8 = Utf8.encode(decode(b, from, to));
    return utf8 == null ? new byte[] {(byte) 0xff} : utf8;
  }
}
