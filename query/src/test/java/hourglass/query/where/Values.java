package hourglass.query.where;

import dev.cel.common.CelAbstractSyntaxTree;
import hourglass.query.filter.Effort;
import hourglass.store.Columns;

/** Evaluates whole expressions on values, without their bytes. */
final class Values {
  private Values() {}

  static boolean matches(String expression, Columns columns, int i, String type) {
    return Boolean.TRUE.equals(of(expression, columns, i, type));
  }

  static Object of(String expression, Columns columns, int i, String type) {
    CelAbstractSyntaxTree checked = Cel.check(expression);
    Constants constants = new Constants(checked);
    ExpressionCompiler compiler = new ExpressionCompiler(checked, constants);
    Expression whole = compiler.of(checked.getExpr());
    return Effort.within(
        () -> false,
        constants.patterns(),
        () -> {
          EventValues values = new EventValues(columns, i, type, compiler.shape());
          try {
            return whole.of(values);
          } catch (IllegalArgumentException e) {
            return Special.ERROR;
          }
        });
  }
}
