package hourglass.query.typed;

/** How a typed filter compares a field with its values. */
public enum Operator {
  /** Equal to a value as a number or a text, or with its words in a longer text. */
  IS,
  /** Equal to the value and nothing else. */
  EXACTLY,
  EXISTS,
  OVER,
  AT_LEAST,
  UNDER,
  AT_MOST,
  /** Between two values, with both ends; an empty one is open. */
  RANGE,
  /** With a part that fits a regular expression. */
  MATCHES;

  boolean isOrder() {
    return this == OVER || this == AT_LEAST || this == UNDER || this == AT_MOST;
  }

  /** As CEL writes the comparison. */
  String sign() {
    return switch (this) {
      case OVER -> ">";
      case AT_LEAST -> ">=";
      case UNDER -> "<";
      case AT_MOST -> "<=";
      default -> throw new IllegalStateException(this + " has no order");
    };
  }

  /** Holds for numbers and texts where this does not. */
  Operator opposite() {
    return switch (this) {
      case OVER -> AT_MOST;
      case AT_LEAST -> UNDER;
      case UNDER -> AT_LEAST;
      case AT_MOST -> OVER;
      default -> throw new IllegalStateException(this + " has no order");
    };
  }
}
