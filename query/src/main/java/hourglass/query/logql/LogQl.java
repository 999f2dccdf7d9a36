package hourglass.query.logql;

/**
 * Reads the part of LogQL that docs/grafana.md lists. Anything else is refused with its name and
 * position.
 *
 * <p>Source: the reference of LogQL in Loki's documentation, and the requests of its clients.
 */
public final class LogQl {
  /**
   * The most characters of a query. Grafana lists the values of a variable in a regular expression,
   * and this many characters take some milliseconds to parse and to format.
   */
  public static final int CHARS_MAX = 16_384;

  /** The deepest nesting of queries in queries, and of brackets in label filters. */
  static final int DEPTH_MAX = 32;

  /** The most matchers of a selector, and also stages of a pipeline and names of a list. */
  static final int PARTS_MAX = 64;

  private LogQl() {}

  /**
   * Reads a query for lines or for samples. Not for use on an event loop.
   *
   * @throws LogQlException if the text is not one
   */
  public static Query parse(String text) {
    Tokens tokens = tokens(text);
    Query query =
        tokens.peek().is("{")
            ? new SelectorParser(tokens).selector()
            : new MetricParser(tokens).metric();
    tokens.expectEnd();
    return query;
  }

  /**
   * Reads a query for lines.
   *
   * @throws LogQlException if the text is not one
   */
  public static LogSelector parseSelector(String text) {
    if (parse(text) instanceof LogSelector selector) {
      return selector;
    }
    throw LogQlException.at(text, 0, "want a log query such as {service_name=\"shop\"} here");
  }

  private static Tokens tokens(String text) {
    if (text.length() > CHARS_MAX) {
      throw LogQlException.at(
          text, 0, "a query of %d characters, at most %d".formatted(text.length(), CHARS_MAX));
    }
    return new Tokens(text, Lexer.tokens(text));
  }
}
