package hourglass.query.logql;

/** A test of a label's text. An absent label has an empty text. */
public record Matcher(String name, Operator operator, String value) {
  /** The operators, with their signs. */
  public enum Operator {
    EQUAL("="),
    UNEQUAL("!="),
    MATCHES("=~"),
    MATCHES_NOT("!~");

    private final String sign;

    Operator(String sign) {
      this.sign = sign;
    }

    /** Whether the value is a regular expression, which must match the whole text. */
    public boolean isRegex() {
      return this == MATCHES || this == MATCHES_NOT;
    }

    public boolean isNegative() {
      return this == UNEQUAL || this == MATCHES_NOT;
    }
  }

  @Override
  public String toString() {
    return name + operator.sign + Quoted.of(value);
  }
}
