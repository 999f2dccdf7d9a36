package hourglass.query.encode;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The fields of a CSV line, by RFC 4180. */
final class CsvText {
  /**
   * Half of a surrogate pair, without the other half next to it, since expressions match whole
   * pairs.
   */
  private static final Pattern HALF = Pattern.compile("[\\x{d800}-\\x{dfff}]");

  private CsvText() {}

  static byte[] field(String text, boolean safe) {
    byte[] source = text.getBytes(StandardCharsets.UTF_8);
    byte[] out = new byte[bytesMax(source.length)];
    return Arrays.copyOf(out, write(source, 0, source.length, safe, out, 0));
  }

  /**
   * Returns the bytes of a text. UTF-8 cannot express half of a surrogate pair, so it is replaced
   * by its escape in JSON, such as {@code \\ud83d}.
   */
  static byte[] utf8(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        return HALF.matcher(text).replaceAll(CsvText::escape).getBytes(StandardCharsets.UTF_8);
      }
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String escape(MatchResult half) {
    return "\\\\u" + Integer.toHexString(half.group().charAt(0));
  }

  /**
   * Returns an upper bound on the bytes of a field: two quotes, an apostrophe, and every byte
   * doubled.
   */
  static int bytesMax(int length) {
    return 2 * length + 3;
  }

  /**
   * Writes bytes of UTF-8 as a field, and returns the position after the last byte written.
   *
   * @param safe whether an apostrophe is added to a possible formula
   */
  static int write(byte[] source, int from, int length, boolean safe, byte[] out, int start) {
    int guard = safe && FormulaGuard.isNeeded(source, from, length) ? 1 : 0;
    int at = start;
    out[at++] = '"';
    if (guard > 0) {
      out[at++] = '\'';
    }
    boolean plain = true;
    for (int i = from; i < from + length; i++) {
      byte b = source[i];
      plain &= b != ',' && b != '"' && b != '\n' && b != '\r';
      if (b == '"') {
        out[at++] = '"';
      }
      out[at++] = b;
    }
    if (plain) {
      out[start] = guard > 0 ? (byte) '\'' : out[start];
      System.arraycopy(source, from, out, start + guard, length);
      return start + guard + length;
    }
    out[at++] = '"';
    return at;
  }
}
