package hourglass.query.where;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import hourglass.query.where.Condition.OfPayload;
import hourglass.query.where.json.FieldTree;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A numeric part of an expression. Immutable. */
sealed interface Term {

  /** Evaluates as far as possible; {@code spans} as in {@link FieldTree#find}. */
  TermValue of(byte[] bytes, int[] spans);

  record Constant(TermValue value) implements Term {
    @Override
    public TermValue of(byte[] bytes, int[] spans) {
      return value;
    }
  }

  record Field(int field) implements Term {
    @Override
    public TermValue of(byte[] bytes, int[] spans) {
      return OfPayload.isThere(field, spans)
          ? TermValue.of(bytes, spans[2 * field], spans[2 * field + 1])
          : TermValue.ERROR;
    }
  }

  record Computed(Arithmetic operation, Term a, Term b) implements Term {
    @Override
    public TermValue of(byte[] bytes, int[] spans) {
      return operation.of(a.of(bytes, spans), b.of(bytes, spans));
    }
  }

  record AsDouble(Term a) implements Term {
    @Override
    public TermValue of(byte[] bytes, int[] spans) {
      TermValue value = a.of(bytes, spans);
      return switch (value.kind()) {
        case INT -> TermValue.of(value.value().doubleValue());
        case DOUBLE, ERROR -> value;
        case OTHER, UNKNOWN -> TermValue.UNKNOWN;
      };
    }
  }

  /** Null if the expression is unsupported; adds its fields. */
  static @Nullable Term of(CelExpr e, FieldTree fields) {
    Optional<Path> path = Path.of(e);
    if (path.isPresent()) {
      return new Field(path.get().in(fields));
    }
    return switch (e.exprKind().getKind()) {
      case CONSTANT -> constant(e.constant());
      case CALL -> ofCall(e.call().function(), Expressions.operands(e.call()), fields);
      default -> null;
    };
  }

  private static @Nullable Term constant(CelConstant constant) {
    return switch (constant.getKind()) {
      case INT64_VALUE -> new Constant(TermValue.of(constant.int64Value()));
      case DOUBLE_VALUE -> new Constant(TermValue.of(constant.doubleValue()));
      default -> null;
    };
  }

  private static @Nullable Term ofCall(String function, List<CelExpr> of, FieldTree fields) {
    if (function.equals("double")) {
      Term a = of(of.get(0), fields);
      return a == null ? null : new AsDouble(a);
    }
    Arithmetic operation = Arithmetic.BY_FUNCTION.get(function);
    if (operation == null) {
      return null;
    }
    Term a = of(of.get(0), fields);
    Term b = of(of.get(1), fields);
    return a == null || b == null ? null : new Computed(operation, a, b);
  }
}
