package hourglass.query.logql;

import java.util.HexFormat;

/** Strings of LogQL, which are those of Go: in quotes with escapes, or raw in backticks. */
final class Quoted {
  private static final String ESCAPES = "abfnrtv\\\"'";
  private static final String VALUES = "\u0007\b\f\n\r\t\u000b\\\"'";

  private static final HexFormat HEX = HexFormat.of();

  private Quoted() {}

  /** Returns a text in quotes. */
  static String of(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      int escape = c == '\'' ? -1 : VALUES.indexOf(c);
      if (escape >= 0) {
        quoted.append('\\').append(ESCAPES.charAt(escape));
      } else if (c < ' ' || c == 0x7f) {
        quoted.append("\\x").append(HEX.toHexDigits((byte) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  /** Returns the value of the text in {@code [at, to)} of a query, which is between quotes. */
  static String value(String query, int at, int to) {
    StringBuilder value = new StringBuilder(to - at);
    for (int i = at; i < to; i++) {
      char c = query.charAt(i);
      if (c != '\\') {
        value.append(c);
        continue;
      }
      char kind = ++i < to ? query.charAt(i) : ' ';
      int known = ESCAPES.indexOf(kind);
      int digits = kind == 'x' ? 2 : kind == 'u' ? 4 : kind == 'U' ? 8 : 0;
      if (known >= 0) {
        value.append(VALUES.charAt(known));
      } else if (digits > 0 && i + digits < to) {
        value.appendCodePoint(codePoint(query, i + 1, digits));
        i += digits;
      } else {
        throw LogQlException.at(query, i - 1, "\"\\" + kind + "\" is no escape of a string");
      }
    }
    return value.toString();
  }

  private static int codePoint(String query, int at, int digits) {
    long value = 0;
    for (int i = at; i < at + digits; i++) {
      int digit = Character.digit(query.charAt(i), 16);
      value = digit < 0 ? Long.MAX_VALUE >> 4 : Math.min(value * 16 + digit, Long.MAX_VALUE >> 4);
    }
    boolean isSurrogate = value >= Character.MIN_SURROGATE && value <= Character.MAX_SURROGATE;
    if (value > Character.MAX_CODE_POINT || isSurrogate) {
      throw LogQlException.at(query, at - 2, "the escape is no character");
    }
    return (int) value;
  }
}
