package hourglass.query;

/** Fields of a csv line, by RFC 4180. */
final class CsvText {
  private CsvText() {}

  /** A field; in quotes where it holds a comma, a quote or a line break. */
  static String field(String text) {
    return text.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r')
        ? '"' + text.replace("\"", "\"\"") + '"'
        : text;
  }

  /** The most bytes that {@link #write} takes for so many. */
  static int bytesMax(int length) {
    return 2 * length + 2;
  }

  /**
   * Writes bytes of UTF-8 as a field.
   *
   * @return the position after the last byte written
   */
  static int write(byte[] source, int from, int length, byte[] out, int start) {
    int at = start;
    out[at++] = '"';
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
      System.arraycopy(source, from, out, start, length);
      return start + length;
    }
    out[at++] = '"';
    return at;
  }
}
