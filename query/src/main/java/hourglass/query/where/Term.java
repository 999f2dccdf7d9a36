package hourglass.query.where;

import hourglass.query.where.QuickTest.OfPayload;
import hourglass.query.where.json.FieldTree;

/** A part of an expression that is to be a number. Immutable. */
sealed interface Term {

  /**
   * What a glance at a payload tells of it.
   *
   * @param spans of its fields, as {@link FieldTree#find} tells them
   */
  Quantity of(byte[] bytes, int[] spans);

  /** A number that stands in the expression. */
  record Constant(Quantity value) implements Term {
    @Override
    public Quantity of(byte[] bytes, int[] spans) {
      return value;
    }
  }

  /** What a field has; an error where the field is not there. */
  record Field(int field) implements Term {
    @Override
    public Quantity of(byte[] bytes, int[] spans) {
      return OfPayload.isThere(field, spans)
          ? Quantity.of(bytes, spans[2 * field], spans[2 * field + 1])
          : Quantity.ERROR;
    }
  }

  /** {@code a + b} and the like. */
  record Computed(Arithmetic operation, Term a, Term b) implements Term {
    @Override
    public Quantity of(byte[] bytes, int[] spans) {
      return operation.of(a.of(bytes, spans), b.of(bytes, spans));
    }
  }

  /** {@code double(a)}, which reads texts too. */
  record AsDouble(Term a) implements Term {
    @Override
    public Quantity of(byte[] bytes, int[] spans) {
      Quantity value = a.of(bytes, spans);
      return switch (value.kind()) {
        case INT -> Quantity.of((double) value.whole());
        case DOUBLE, NUMBER, ERROR -> value;
        case OTHER, UNKNOWN -> Quantity.UNKNOWN;
      };
    }
  }
}
