package hourglass.query.filter;

/** The comparisons of two values, with their signs in queries. */
public enum Comparison {
  EQUAL("=="),
  UNEQUAL("!="),
  LESS("<"),
  AT_MOST("<="),
  GREATER(">"),
  AT_LEAST(">=");

  private final String sign;

  Comparison(String sign) {
    this.sign = sign;
  }

  public String sign() {
    return sign;
  }

  public Comparison flipped() {
    return switch (this) {
      case EQUAL, UNEQUAL -> this;
      case LESS -> GREATER;
      case AT_MOST -> AT_LEAST;
      case GREATER -> LESS;
      case AT_LEAST -> AT_MOST;
    };
  }

  public boolean isOrder() {
    return this != EQUAL && this != UNEQUAL;
  }

  public int outcomes(int compared) {
    return Outcomes.of(
        switch (this) {
          case EQUAL -> compared == 0;
          case UNEQUAL -> compared != 0;
          case LESS -> compared < 0;
          case AT_MOST -> compared <= 0;
          case GREATER -> compared > 0;
          case AT_LEAST -> compared >= 0;
        });
  }

  public boolean holds(int compared) {
    return compared == Numbers.NO_ORDER ? this == UNEQUAL : outcomes(compared) == Outcomes.TRUE;
  }

  public boolean holds(double a, double b) {
    return holds(Numbers.ofDoubles(a, b));
  }

  /** Returns the outcome for values of different kinds, which are unequal and have no order. */
  public int ofDifferentKinds() {
    return isOrder() ? Outcomes.ERROR : Outcomes.of(this == UNEQUAL);
  }
}
