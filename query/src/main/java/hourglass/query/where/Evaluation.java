package hourglass.query.where;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.exceptions.CelIterationLimitExceededException;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import hourglass.query.filter.Effort;
import hourglass.store.Columns;
import org.jspecify.annotations.Nullable;

/** Evaluates an expression in the CEL library. Immutable. */
final class Evaluation {
  private final CelRuntime.Program program;
  private final CelRuntime.@Nullable Program counted;

  private Evaluation(CelRuntime.Program program, CelRuntime.@Nullable Program counted) {
    this.program = program;
    this.counted = counted;
  }

  static Evaluation of(String expression, CelAbstractSyntaxTree checked) {
    boolean loops = Expressions.all(checked).anyMatch(e -> Expressions.is(e, Kind.COMPREHENSION));
    return new Evaluation(
        Cel.program(checked), loops ? Cel.program(Cel.checkOurs(counted(expression))) : null);
  }

  /**
   * Wraps the expression in a loop of two steps: the second fails too once all loops exceed their
   * limit, which another error may hide otherwise.
   */
  private static String counted(String expression) {
    return "[0, 1].exists(step_, step_ == 0 && (" + expression + "\n))";
  }

  /** Throws {@link WhereException} if loops take too many steps. */
  boolean isTrue(Columns columns, int i, String type) {
    EventVariables event = new EventVariables(columns, i, type);
    try {
      return isTrue(counted == null ? program : counted, event);
    } catch (CelEvaluationException e) {
      return isTooLong(e) && isTrueInSpiteOfThat(event);
    }
  }

  /**
   * Retries without the wrapper, since the other side of an {@code &&} or {@code ||} may still
   * decide.
   */
  private boolean isTrueInSpiteOfThat(EventVariables event) {
    Effort.current().again();
    try {
      return isTrue(program, event);
    } catch (CelEvaluationException e) {
      throw new WhereException(
          "for event "
              + event.id()
              + " it takes more than "
              + Cel.ITERATIONS_MAX
              + " steps of all, exists, exists_one, map and filter; ask less of long lists, as in"
              + " size(data.list) <= 100 && data.list.all(...)");
    }
  }

  private boolean isTrue(CelRuntime.Program of, EventVariables event)
      throws CelEvaluationException {
    return Boolean.TRUE.equals(of.eval(event));
  }

  private static boolean isTooLong(Throwable thrown) {
    Throwable cause = thrown;
    while (cause != null && !(cause instanceof CelIterationLimitExceededException)) {
      cause = cause.getCause();
    }
    return cause != null;
  }
}
