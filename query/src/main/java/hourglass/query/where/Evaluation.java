package hourglass.query.where;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.exceptions.CelIterationLimitExceededException;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import hourglass.query.where.json.Effort;
import hourglass.store.Columns;
import org.jspecify.annotations.Nullable;

/** What the language says of an event. Immutable. */
final class Evaluation {
  private final CelRuntime.Program program;
  private final CelRuntime.@Nullable Program counted;

  private Evaluation(CelRuntime.Program program, CelRuntime.@Nullable Program counted) {
    this.program = program;
    this.counted = counted;
  }

  /** Of an expression that was found right. */
  static Evaluation of(String expression, CelAbstractSyntaxTree checked) {
    CelExpr all = checked.getExpr();
    boolean loops = Expressions.all(all).anyMatch(e -> Expressions.is(e, Kind.COMPREHENSION));
    return new Evaluation(
        Cel.program(checked), loops ? Cel.program(Cel.checkOurs(counted(expression))) : null);
  }

  /**
   * The expression as the first of two steps of a loop. The steps of an expression are counted
   * together, so once there were too many the second cannot be taken either; an expression itself
   * may tell of another of its errors instead.
   */
  private static String counted(String expression) {
    return "[0, 1].exists(step_, step_ == 0 && (" + expression + "\n))";
  }

  /**
   * Whether an expression is true for column {@code i} of a row of a type.
   *
   * @throws WhereException if that takes too many steps of loops to tell
   * @throws Effort.ExceededError if it takes too much otherwise
   * @throws Effort.GoneError if the client is gone
   */
  boolean isTrue(Columns columns, int i, String type) {
    EventVariables event = new EventVariables(columns, i, type);
    try {
      return isTrue(counted == null ? program : counted, event);
    } catch (CelEvaluationException e) {
      return isTooLong(e) && isTrueInSpiteOfThat(event);
    }
  }

  /** One that took too many steps may have an answer all the same, by the other side of an and. */
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
