package hourglass.command;

/** Escapes texts of events for a terminal, which would obey control characters in them. */
public final class SafeText {
  private SafeText() {}

  /** Returns the text unchanged if it is one word, else in quotes as in JSON. */
  public static String word(String text) {
    boolean isWord = !text.isEmpty() && text.codePoints().allMatch(SafeText::isOfWords);
    return isWord ? text : quoted(text);
  }

  /** Returns the text in quotes, with escapes for characters that a terminal would not show. */
  public static String quoted(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
    text.codePoints()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                quoted.append('\\');
              }
              append(c, quoted);
            });
    return quoted.append('"').toString();
  }

  /** Returns the text on one line, with escapes but without quotes. */
  public static String line(String text) {
    StringBuilder line = new StringBuilder(text.length());
    text.codePoints().forEach(c -> append(c, line));
    return line.toString();
  }

  private static void append(int c, StringBuilder to) {
    switch (c) {
      case '\n' -> to.append("\\n");
      case '\r' -> to.append("\\r");
      case '\t' -> to.append("\\t");
      default -> {
        if (isShown(c)) {
          to.appendCodePoint(c);
        } else {
          for (char half : Character.toChars(c)) {
            to.append("\\u").append(Integer.toHexString(0x10000 | half), 1, 5);
          }
        }
      }
    }
  }

  private static boolean isOfWords(int c) {
    return c != '"' && c != '\\' && c != '=' && !Character.isSpaceChar(c) && isShown(c);
  }

  /**
   * Returns whether a character is shown: it is not a control character, and not an invisible one
   * that reorders text.
   */
  private static boolean isShown(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
