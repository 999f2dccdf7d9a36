package hourglass.query.logql;

import hourglass.query.logql.Token.Kind;
import java.util.ArrayList;
import java.util.List;

/** Divides a query into tokens. */
final class Lexer {
  /** The signs, the longest first. */
  private static final List<String> SIGNS =
      List.of(
          "|=", "|~", "!=", "!~", "=~", "==", ">=", "<=", "|>", "!>", "{", "}", "(", ")", "[", "]",
          ",", "|", "=", ">", "<", "+", "-", "*", "/", "%", "^");

  private final String text;
  private int at;

  private Lexer(String text) {
    this.text = text;
  }

  /** Returns the tokens of a query. The last one is the end. */
  static List<Token> tokens(String text) {
    Lexer lexer = new Lexer(text);
    List<Token> tokens = new ArrayList<>();
    do {
      tokens.add(lexer.next());
    } while (tokens.get(tokens.size() - 1).kind() != Kind.END);
    return tokens;
  }

  private Token next() {
    skipSpace();
    int from = at;
    if (at == text.length()) {
      return new Token(Kind.END, "", from);
    }
    char c = text.charAt(at);
    if (c == '"' || c == '`') {
      return string(c);
    }
    if (isDigit(c) || c == '.' && at + 1 < text.length() && isDigit(text.charAt(at + 1))) {
      return number();
    }
    if (isNameStart(c)) {
      while (at < text.length() && (isNameStart(text.charAt(at)) || isDigit(text.charAt(at)))) {
        at++;
      }
      return new Token(Kind.NAME, text.substring(from, at), from);
    }
    for (String sign : SIGNS) {
      if (text.startsWith(sign, at)) {
        at += sign.length();
        return new Token(Kind.SIGN, sign, from);
      }
    }
    throw LogQlException.at(
        text, from, "unexpected character \"" + Character.toString(text.codePointAt(from)) + "\"");
  }

  /** Skips white space and comments, which extend from # to the end of the line. */
  private void skipSpace() {
    while (at < text.length()) {
      if (text.charAt(at) == '#') {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else if (Character.isWhitespace(text.charAt(at))) {
        at++;
      } else {
        return;
      }
    }
  }

  private Token string(char quote) {
    int from = at++;
    while (at < text.length() && text.charAt(at) != quote) {
      at += quote == '"' && text.charAt(at) == '\\' ? 2 : 1;
    }
    if (at >= text.length()) {
      throw LogQlException.at(text, from, "a string that does not end");
    }
    String value = quote == '`' ? text.substring(from + 1, at) : Quoted.value(text, from + 1, at);
    at++;
    return new Token(Kind.STRING, value, from);
  }

  private Token number() {
    int from = at;
    while (at < text.length() && isOfNumber(from)) {
      at++;
    }
    return new Token(Kind.NUMBER, text.substring(from, at), from);
  }

  private boolean isOfNumber(int from) {
    char c = text.charAt(at);
    boolean isExponentSign =
        (c == '+' || c == '-')
            && at > from
            && Character.toLowerCase(text.charAt(at - 1)) == 'e'
            && at + 1 < text.length()
            && isDigit(text.charAt(at + 1));
    return isDigit(c) || c == '.' || isNameStart(c) || c == '\u00b5' || isExponentSign;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isNameStart(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
  }
}
