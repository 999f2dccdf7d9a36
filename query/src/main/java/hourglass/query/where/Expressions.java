package hourglass.query.where;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

final class Expressions {
  /** Functions that fail if one of their arguments is an error. */
  private static final Set<String> STRICT =
      Set.of(
          "_==_",
          "_!=_",
          "_<_",
          "_<=_",
          "_>_",
          "_>=_",
          "_+_",
          "_-_",
          "_*_",
          "_/_",
          "_%_",
          "-_",
          "!_",
          "_[_]",
          "@in",
          "size",
          "startsWith",
          "endsWith",
          "contains",
          "matches",
          "int",
          "uint",
          "double",
          "string",
          "timestamp",
          "duration");

  private Expressions() {}

  static boolean isStrict(CelCall call) {
    return STRICT.contains(call.function());
  }

  static boolean is(CelExpr e, Kind kind) {
    return e.exprKind().getKind() == kind;
  }

  static boolean isNamed(CelExpr e, String variable) {
    return is(e, Kind.IDENT) && e.ident().name().equals(variable);
  }

  /** The target of a call, if any, then its arguments. */
  static List<CelExpr> operands(CelCall call) {
    return Stream.concat(call.target().stream(), call.args().stream()).toList();
  }

  /** The path of names from the payload to a value, if it is one. */
  static Optional<List<String>> path(CelExpr e) {
    return switch (e.exprKind().getKind()) {
      case IDENT -> isNamed(e, EventVariables.DATA) ? Optional.of(List.of()) : Optional.empty();
      case SELECT ->
          e.select().testOnly()
              ? Optional.empty()
              : path(e.select().operand()).map(path -> and(path, e.select().field()));
      case CALL -> e.call().function().equals("_[_]") ? indexed(e.call()) : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static Optional<List<String>> indexed(CelCall call) {
    Optional<String> name = text(call.args().get(1));
    return name.isEmpty()
        ? Optional.empty()
        : path(call.args().get(0)).map(path -> and(path, name.get()));
  }

  static List<String> and(List<String> path, String name) {
    return Stream.concat(path.stream(), Stream.of(name)).toList();
  }

  static Optional<CelConstant> constant(CelExpr e) {
    return is(e, Kind.CONSTANT) ? Optional.of(e.constant()) : Optional.empty();
  }

  static Optional<String> text(CelExpr e) {
    return constant(e)
        .filter(constant -> constant.getKind() == CelConstant.Kind.STRING_VALUE)
        .map(CelConstant::stringValue);
  }

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
      case STRUCT -> e.struct().entries().stream().map(entry -> entry.value());
      case COMPREHENSION ->
          Stream.of(
              e.comprehension().iterRange(),
              e.comprehension().accuInit(),
              e.comprehension().loopCondition(),
              e.comprehension().loopStep(),
              e.comprehension().result());
      default -> Stream.empty();
    };
  }
}
