package hourglass.query.logql;

import hourglass.query.filter.Comparison;
import org.jspecify.annotations.Nullable;

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
    /** Whether a label passes; false if it is absent, or contains no number of this unit. */
    public boolean holds(@Nullable String label) {
      Double number = label == null ? null : unit.read(label);
      return number != null && comparison.holds(number, value);
    }

    @Override
    public String toString() {
      return name + comparison.sign() + written;
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

  /** The units of the number in a label. */
  enum Unit {
    NUMBER,
    DURATION,
    BYTES;

    /** Reads a number, in nanoseconds, in bytes, or without a unit; null if the text is not one. */
    public @Nullable Double read(String text) {
      return switch (this) {
        case NUMBER -> Quantities.number(text);
        case DURATION -> Quantities.nanos(text);
        case BYTES -> Quantities.bytes(text);
      };
    }
  }
}
