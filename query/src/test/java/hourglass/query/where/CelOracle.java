package hourglass.query.where;

import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import hourglass.query.filter.Effort;
import hourglass.query.filter.Outcomes;
import hourglass.store.Columns;
import java.util.Map;

/**
 * The CEL library as an oracle of {@link Expression}. It has functions of our own where numbers
 * compare exactly and texts by their code points.
 */
final class CelOracle {
  private static final CelRuntime RUNTIME =
      CelRuntimeFactory.plannerRuntimeBuilder()
          .setOptions(Cel.OPTIONS)
          .setStandardFunctions(OracleFunctions.KEPT)
          .addFunctionBindings(OracleFunctions.ours(Cel.OPTIONS))
          .build();

  private final CelRuntime.Program program;

  private CelOracle(CelRuntime.Program program) {
    this.program = program;
  }

  static CelOracle of(String expression) {
    try {
      return new CelOracle(RUNTIME.createProgram(FieldVariables.in(Cel.check(expression))));
    } catch (CelEvaluationException e) {
      throw new AssertionError(expression, e);
    }
  }

  /** The value of the expression, or {@link Special#ERROR}. */
  Object value(Columns columns, int i, String type) {
    return Effort.within(
        () -> false,
        Map.of(),
        () -> {
          try {
            return OracleVariables.ours(program.eval(new OracleVariables(columns, i, type)));
          } catch (CelEvaluationException e) {
            return Special.ERROR;
          }
        });
  }

  /** One of {@link Outcomes}; other values than true and false are errors. */
  int outcome(Columns columns, int i, String type) {
    return value(columns, i, type) instanceof Boolean value ? Outcomes.of(value) : Outcomes.ERROR;
  }
}
