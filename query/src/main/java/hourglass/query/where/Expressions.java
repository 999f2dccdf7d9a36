package hourglass.query.where;

import com.google.common.collect.ImmutableMap;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.CelStruct;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import hourglass.query.filter.Arithmetic;
import hourglass.query.filter.Comparison;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

final class Expressions {
  /** The functions that accept an argument that is an error. All others fail. */
  private static final Set<String> LENIENT =
      Set.of("_&&_", "_||_", "_?_:_", "@not_strictly_false", "__not_strictly_false__");

  static final ImmutableMap<String, Comparison> COMPARISONS =
      ImmutableMap.of(
          "_==_", Comparison.EQUAL,
          "_!=_", Comparison.UNEQUAL,
          "_<_", Comparison.LESS,
          "_<=_", Comparison.AT_MOST,
          "_>_", Comparison.GREATER,
          "_>=_", Comparison.AT_LEAST);

  static final ImmutableMap<String, Arithmetic> ARITHMETIC =
      ImmutableMap.of(
          "_+_", Arithmetic.PLUS,
          "_-_", Arithmetic.MINUS,
          "_*_", Arithmetic.TIMES,
          "_/_", Arithmetic.DIVIDED_BY,
          "_%_", Arithmetic.MODULO);

  private Expressions() {}

  static boolean isStrict(CelCall call) {
    return !LENIENT.contains(call.function());
  }

  static boolean is(CelExpr e, Kind kind) {
    return e.exprKind().getKind() == kind;
  }

  static boolean isNamed(CelExpr e, String variable) {
    return is(e, Kind.IDENT) && e.ident().name().equals(variable);
  }

  /** Returns the target of a call, if there is one, followed by its arguments. */
  static List<CelExpr> operands(CelCall call) {
    return Stream.concat(call.target().stream(), call.args().stream()).toList();
  }

  static Optional<CelConstant> constant(CelExpr e) {
    return is(e, Kind.CONSTANT) ? Optional.of(e.constant()) : Optional.empty();
  }

  static Optional<String> text(CelExpr e) {
    return constant(e)
        .filter(constant -> constant.getKind() == CelConstant.Kind.STRING_VALUE)
        .map(CelConstant::stringValue);
  }

  /** Returns the expression and all its parts, from the outside to the inside. */
  static Stream<CelExpr> all(CelExpr e) {
    return Stream.concat(Stream.of(e), parts(e).flatMap(Expressions::all));
  }

  private static Stream<CelExpr> parts(CelExpr e) {
    return switch (e.exprKind().getKind()) {
      case SELECT -> Stream.of(e.select().operand());
      case CALL -> operands(e.call()).stream();
      case LIST -> e.list().elements().stream();
      case MAP ->
          e.map().entries().stream().flatMap(entry -> Stream.of(entry.key(), entry.value()));
      case STRUCT -> e.struct().entries().stream().map(CelStruct.Entry::value);
      case COMPREHENSION -> parts(e.comprehension());
      default -> Stream.empty();
    };
  }

  private static Stream<CelExpr> parts(CelComprehension loop) {
    return Stream.of(
        loop.iterRange(), loop.accuInit(), loop.loopCondition(), loop.loopStep(), loop.result());
  }
}
