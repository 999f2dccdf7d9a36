package hourglass.query.logql;

/**
 * A token of a query.
 *
 * @param text the value of a string, without quotes and escapes; otherwise, the token as written
 * @param at its first character in the query, counted from 0
 */
record Token(Kind kind, String text, int at) {
  private static final int SHOWN_MAX = 100;

  enum Kind {
    NAME,
    STRING,
    /** A number, a duration such as {@code 1h30m} or a size such as {@code 5KB}. */
    NUMBER,
    SIGN,
    END
  }

  boolean is(String sign) {
    return kind == Kind.SIGN && text.equals(sign);
  }

  boolean isName(String name) {
    return kind == Kind.NAME && text.equals(name);
  }

  /** Returns the token for messages; only its beginning, if it is long. */
  String shown() {
    String start = text.length() > SHOWN_MAX ? text.substring(0, SHOWN_MAX) + "..." : text;
    return switch (kind) {
      case END -> "the end of the query";
      case STRING -> "the string " + Quoted.of(start);
      default -> "\"" + start + "\"";
    };
  }
}
