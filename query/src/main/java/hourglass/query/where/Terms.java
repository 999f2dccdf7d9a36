package hourglass.query.where;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import hourglass.query.where.json.FieldTree;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

final class Terms {
  private final FieldTree fields;

  Terms(FieldTree fields) {
    this.fields = fields;
  }

  /** Null if the expression is unsupported. */
  @Nullable Term of(CelExpr e) {
    Optional<List<String>> path = Expressions.path(e);
    if (path.isPresent()) {
      return new Term.Field(fields.add(path.get()));
    }
    return switch (e.exprKind().getKind()) {
      case CONSTANT -> constant(e.constant());
      case CALL -> ofCall(e.call().function(), Expressions.operands(e.call()));
      default -> null;
    };
  }

  private static @Nullable Term constant(CelConstant constant) {
    return switch (constant.getKind()) {
      case INT64_VALUE -> new Term.Constant(QuickNumber.of(constant.int64Value()));
      case DOUBLE_VALUE -> new Term.Constant(QuickNumber.of(constant.doubleValue()));
      default -> null;
    };
  }

  private @Nullable Term ofCall(String function, List<CelExpr> of) {
    if (function.equals("double")) {
      Term a = of(of.get(0));
      return a == null ? null : new Term.AsDouble(a);
    }
    Arithmetic operation = Arithmetic.of(function);
    if (operation == null) {
      return null;
    }
    Term a = of(of.get(0));
    Term b = of(of.get(1));
    return a == null || b == null ? null : new Term.Computed(operation, a, b);
  }
}
