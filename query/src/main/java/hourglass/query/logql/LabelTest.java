package hourglass.query.logql;

/** A label filter of a pipeline. */
public sealed interface LabelTest {

  record OfText(Matcher matcher) implements LabelTest {
    @Override
    public String toString() {
      return matcher.toString();
    }
  }

  /**
   * A comparison of the number in a label.
   *
   * @param unit of the label's text
   * @param value in nanoseconds, in bytes, or without a unit
   * @param written the value as text
   */
  record OfNumber(String name, Comparison comparison, Unit unit, double value, String written)
      implements LabelTest {
    @Override
    public String toString() {
      return name + comparison.sign + written;
    }
  }

  record And(LabelTest a, LabelTest b) implements LabelTest {
    @Override
    public String toString() {
      return "( " + a + " and " + b + " )";
    }
  }

  record Or(LabelTest a, LabelTest b) implements LabelTest {
    @Override
    public String toString() {
      return "( " + a + " or " + b + " )";
    }
  }

  enum Unit {
    NUMBER,
    DURATION,
    BYTES
  }

  /** The comparisons, with their signs. */
  enum Comparison {
    EQUAL("=="),
    UNEQUAL("!="),
    GREATER(">"),
    AT_LEAST(">="),
    LESS("<"),
    AT_MOST("<=");

    private final String sign;

    Comparison(String sign) {
      this.sign = sign;
    }

    public boolean holds(double a, double b) {
      return switch (this) {
        case EQUAL -> a == b;
        case UNEQUAL -> a != b;
        case GREATER -> a > b;
        case AT_LEAST -> a >= b;
        case LESS -> a < b;
        case AT_MOST -> a <= b;
      };
    }
  }
}
