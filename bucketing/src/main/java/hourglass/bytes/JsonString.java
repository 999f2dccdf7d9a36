package hourglass.bytes;

import java.nio.charset.StandardCharsets;

/** Texts of JSON strings. */
public final class JsonString {
  private static final String ESCAPED = "\"\\/bfnrt";
  private static final String PLAIN = "\"\\/\b\f\n\r\t";

  private JsonString() {}

  /** Decodes the text in {@code [from, to)}, between the quotes. */
  public static String decode(byte[] bytes, int from, int to) {
    String raw = new String(bytes, from, to - from, StandardCharsets.UTF_8);
    return JsonScan.hasEscape(bytes, from, to) ? unescape(raw) : raw;
  }

  /** Whether a JSON string has a text in {@code [from, to)}, between the quotes. */
  public static boolean isText(String text, byte[] bytes, int from, int to) {
    if (text.length() != to - from) {
      // An escape or a character beyond ASCII takes more bytes than characters.
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
        text.append(PLAIN.charAt(ESCAPED.indexOf(raw.charAt(at))));
      }
    }
    return text.toString();
  }
}
