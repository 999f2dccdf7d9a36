package hourglass.query.where.json;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Texts of JSON strings. */
public final class JsonString {
  private static final String ESCAPED = "\"\\/bfnrt";
  private static final String PLAIN = "\"\\/\b\f\n\r\t";

  private static final HexFormat HEX = HexFormat.of();

  private JsonString() {}

  /** Decodes the text in {@code [from, to)}, between the quotes. */
  public static String decode(byte[] bytes, int from, int to) {
    String raw = new String(bytes, from, to - from, StandardCharsets.UTF_8);
    return JsonScan.hasEscape(bytes, from, to) ? unescape(raw) : raw;
  }

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

  /** Adds quotes, and as few escapes as possible. */
  public static String encode(String text) {
    StringBuilder json = new StringBuilder(text.length() + 2).append('"');
    text.codePoints().forEach(here -> append(json, here));
    return json.append('"').toString();
  }

  private static void append(StringBuilder json, int here) {
    if (here == '"' || here == '\\') {
      json.append('\\').append((char) here);
    } else if (here < ' ' || (here >= Character.MIN_SURROGATE && here <= Character.MAX_SURROGATE)) {
      json.append("\\u").append(HEX.toHexDigits((short) here));
    } else {
      json.appendCodePoint(here);
    }
  }
}
