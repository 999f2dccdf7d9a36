package hourglass.query.filter;

import hourglass.bytes.Spans;
import hourglass.query.filter.Condition.OfPayload;
import hourglass.query.where.json.FieldTree;

/** A numeric part of an expression. Immutable. */
public sealed interface Term {

  /** Evaluates the term as far as possible; {@code spans} are those of {@link FieldTree#find}. */
  TermValue of(byte[] bytes, Spans spans);

  record Constant(TermValue value) implements Term {
    @Override
    public TermValue of(byte[] bytes, Spans spans) {
      return value;
    }
  }

  record Field(int field) implements Term {
    @Override
    public TermValue of(byte[] bytes, Spans spans) {
      return OfPayload.isThere(field, spans)
          ? TermValue.of(bytes, spans.start(field), spans.end(field))
          : TermValue.ERROR;
    }
  }

  record Computed(Arithmetic operation, Term a, Term b) implements Term {
    @Override
    public TermValue of(byte[] bytes, Spans spans) {
      return operation.of(a.of(bytes, spans), b.of(bytes, spans));
    }
  }

  record AsDouble(Term a) implements Term {
    @Override
    public TermValue of(byte[] bytes, Spans spans) {
      TermValue value = a.of(bytes, spans);
      return switch (value.kind()) {
        case INT -> TermValue.of(value.value().doubleValue());
        case DOUBLE, ERROR -> value;
        case OTHER, UNKNOWN -> TermValue.UNKNOWN;
      };
    }
  }
}
