package hourglass.query.typed;

import hourglass.query.typed.Node.Value;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A position in the text of a typed filter, and the reading of blanks, quotes, words and values
 * from there. Used by one thread.
 */
abstract class FilterScanner {
  final String text;
  final Slips slips;
  int at;

  FilterScanner(String text) {
    this.text = text;
    slips = new Slips(text);
  }

  /** Whether the position is in a list of values, where a comma separates like a blank. */
  abstract boolean isInList();

  /** Returns the match of a pattern that begins at the position; null if there is none. */
  final @Nullable Matcher find(Pattern pattern) {
    Matcher matcher = pattern.matcher(text).region(at, text.length());
    return matcher.lookingAt() ? matcher : null;
  }

  /** Reads the value of a test that begins at {@code from}. */
  final Value value(int from) {
    int start = at;
    if (at < text.length() && (isQuote(text.charAt(at)) || isQuotedByApostrophes())) {
      String quoted = quoted(text.charAt(at));
      slips.checkAfterQuote(start, at);
      return new Value(quoted, true, new Span(start, at));
    }
    String bare = bare();
    slips.checkValue(from, start, bare);
    boolean isText = bare.indexOf(Value.ESCAPED_STAR) >= 0 && bare.indexOf('*') < 0;
    return new Value(isText ? Value.plain(bare) : bare, isText, new Span(start, at));
  }

  final boolean isDigit(int place) {
    return place < text.length()
        && (text.charAt(place) == '.' || Character.isDigit(text.charAt(place)));
  }

  /** Whether a character opens a quote, including those of typeset text. */
  static boolean isQuote(char c) {
    return c == '"' || c == '\u201c' || c == '\u201e';
  }

  private static char closing(char quote) {
    return quote == '\u201c' ? '\u201d' : quote == '\u201e' ? '\u201c' : quote;
  }

  private boolean isQuotedByApostrophes() {
    if (text.charAt(at) != '\'') {
      return false;
    }
    int end = text.indexOf('\'', at + 1);
    return end > 0 && (end + 1 == text.length() || " )\t\n,".indexOf(text.charAt(end + 1)) >= 0);
  }

  /** Reads a text in quotes. A backslash escapes only the quote and itself. */
  final String quoted(char opening) {
    char quote = closing(opening);
    int from = at++;
    StringBuilder inner = new StringBuilder();
    for (; at < text.length() && text.charAt(at) != quote; at++) {
      boolean isEscape =
          text.charAt(at) == '\\'
              && at + 1 < text.length()
              && (text.charAt(at + 1) == quote || text.charAt(at + 1) == '\\');
      inner.append(text.charAt(isEscape ? ++at : at));
    }
    if (at >= text.length()) {
      throw slips.fixed(from, "this quote is not closed", text + quote);
    }
    at++;
    return inner.toString();
  }

  /** Reads to the next blank, or to a parenthesis that the word did not open. */
  final String bare() {
    StringBuilder word = new StringBuilder();
    int open = 0;
    for (; at < text.length(); at++) {
      char c = text.charAt(at);
      if (isBlank(c) || c == ')' && --open < 0 || c == ',' && isInList()) {
        break;
      }
      open += c == '(' ? 1 : 0;
      boolean isEscape =
          c == '\\'
              && at + 1 < text.length()
              && "\\:\"()*<>=!-+/ ".indexOf(text.charAt(at + 1)) >= 0;
      char plain = isEscape ? text.charAt(++at) : c;
      word.append(isEscape && plain == '*' ? Value.ESCAPED_STAR : plain);
    }
    return word.toString();
  }

  static boolean isBlank(char c) {
    return Character.isWhitespace(c) || Character.isSpaceChar(c);
  }

  final void skip() {
    boolean isList = isInList();
    while (at < text.length() && (isBlank(text.charAt(at)) || isList && text.charAt(at) == ',')) {
      at++;
    }
  }

  final boolean isEnd() {
    skip();
    return at >= text.length() || text.charAt(at) == ')';
  }
}
