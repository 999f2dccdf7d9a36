package hourglass.query.typed;

/** The comparison of a field with its values in a typed filter. */
public enum Operator {
  /** The field equals a value as a number or a text, or contains its words in a longer text. */
  IS,
  /** The field equals the value exactly. */
  EXACTLY,
  EXISTS,
  OVER,
  AT_LEAST,
  UNDER,
  AT_MOST,
  /** The field is between two values, both included; an empty value means no bound. */
  RANGE,
  /** A part of the field matches a regular expression. */
  MATCHES;

  boolean isOrder() {
    return this == OVER || this == AT_LEAST || this == UNDER || this == AT_MOST;
  }

  /** Returns the comparison as CEL writes it. */
  String sign() {
    return switch (this) {
      case OVER -> ">";
      case AT_LEAST -> ">=";
      case UNDER -> "<";
      case AT_MOST -> "<=";
      default -> throw new IllegalStateException(this + " has no order");
    };
  }

  /** Returns the operator that is true for the numbers and texts for which this one is false. */
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
