package hourglass.query.where;

import hourglass.query.where.QuickTest.OfPayload;
import hourglass.query.where.json.FieldTree;

/** A numeric part of an expression. Immutable. */
sealed interface Term {

  /** Evaluates as far as possible; {@code spans} as in {@link FieldTree#find}. */
  QuickNumber of(byte[] bytes, int[] spans);

  record Constant(QuickNumber value) implements Term {
    @Override
    public QuickNumber of(byte[] bytes, int[] spans) {
      return value;
    }
  }

  record Field(int field) implements Term {
    @Override
    public QuickNumber of(byte[] bytes, int[] spans) {
      return OfPayload.isThere(field, spans)
          ? QuickNumber.of(bytes, spans[2 * field], spans[2 * field + 1])
          : QuickNumber.ERROR;
    }
  }

  record Computed(Arithmetic operation, Term a, Term b) implements Term {
    @Override
    public QuickNumber of(byte[] bytes, int[] spans) {
      return operation.of(a.of(bytes, spans), b.of(bytes, spans));
    }
  }

  record AsDouble(Term a) implements Term {
    @Override
    public QuickNumber of(byte[] bytes, int[] spans) {
      QuickNumber value = a.of(bytes, spans);
      return switch (value.kind()) {
        case INT -> QuickNumber.of((double) value.whole());
        case DOUBLE, NUMBER, ERROR -> value;
        case OTHER, UNKNOWN -> QuickNumber.UNKNOWN;
      };
    }
  }
}
