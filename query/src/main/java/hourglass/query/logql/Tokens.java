package hourglass.query.logql;

import hourglass.query.logql.Token.Kind;
import java.util.ArrayList;
import java.util.List;

/** The tokens of a query, from the first to the last. */
final class Tokens {
  private final String text;
  private final List<Token> tokens;
  private int next;
  private int depth;

  Tokens(String text, List<Token> tokens) {
    this.text = text;
    this.tokens = tokens;
  }

  Token peek() {
    return tokens.get(next);
  }

  Token take() {
    Token token = tokens.get(next);
    next += token.kind() == Kind.END ? 0 : 1;
    return token;
  }

  /** Whether the next token is this sign, which is then consumed. */
  boolean takes(String sign) {
    boolean is = peek().is(sign);
    next += is ? 1 : 0;
    return is;
  }

  boolean takesName(String name) {
    boolean is = peek().isName(name);
    next += is ? 1 : 0;
    return is;
  }

  void expect(String sign) {
    if (!takes(sign)) {
      throw unexpected("want " + sign);
    }
  }

  String expectName(String what) {
    if (peek().kind() != Kind.NAME) {
      throw unexpected("want " + what);
    }
    return take().text();
  }

  String expectString(String what) {
    if (peek().kind() != Kind.STRING) {
      throw unexpected("want " + what);
    }
    return take().text();
  }

  void expectEnd() {
    if (peek().kind() != Kind.END) {
      throw unexpected("want the end of the query");
    }
  }

  /** Reads names with commas between them, at least one. */
  List<String> names(String what) {
    List<String> names = new ArrayList<>();
    do {
      names.add(expectName(what));
      checkParts(names.size(), "names");
    } while (takes(","));
    return names;
  }

  void checkParts(int count, String what) {
    if (count > LogQl.PARTS_MAX) {
      throw refused(peek(), "more than " + LogQl.PARTS_MAX + " " + what);
    }
  }

  /** Begins an inner part. Call {@link #leave} after it. */
  void enter() {
    if (++depth > LogQl.DEPTH_MAX) {
      throw refused(peek(), "more than " + LogQl.DEPTH_MAX + " levels");
    }
  }

  void leave() {
    depth--;
  }

  LogQlException unexpected(String want) {
    return refused(peek(), "unexpected " + peek().shown() + "; " + want);
  }

  LogQlException refused(Token at, String problem) {
    return LogQlException.at(text, at.at(), problem);
  }
}
