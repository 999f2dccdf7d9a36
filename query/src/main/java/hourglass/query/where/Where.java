package hourglass.query.where;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import hourglass.store.Columns;

/**
 * An expression of CEL, the Common Expression Language, over an event: {@code data} is its payload,
 * {@code type}, {@code time} and {@code id} what every event has. An event for which it is true
 * matches; one for which it is false, something else or an error does not. Immutable, and so safe
 * to share.
 *
 * <p>An error is to name a field that is not there, or to compare or compute with kinds that do not
 * fit. By the rules of the language {@code &&} and {@code ||} answer without a side that is an
 * error where the other side alone decides.
 */
public final class Where {
  private final CelRuntime.Program program;
  private final ByteTest needed;

  private Where(CelRuntime.Program program, ByteTest needed) {
    this.program = program;
    this.needed = needed;
  }

  /**
   * Reads an expression; the first takes longer, since the language is loaded for it.
   *
   * @throws WhereException if it is none, or too large; the message names the position, columns
   *     counted from 1 in characters
   */
  public static Where compile(String expression) {
    CelAbstractSyntaxTree checked = Cel.check(expression);
    return new Where(Cel.program(checked), NeededBytes.of(checked.getExpr()));
  }

  /** Whether it is true for column {@code i} of a row of a type. */
  public boolean matches(Columns columns, int i, String type) {
    return mayMatch(columns, i) && evaluate(columns, i, type);
  }

  /** What the bytes say, before anything is read; an escape may spell anything. */
  boolean mayMatch(Columns columns, int i) {
    byte[] bytes = columns.bytes();
    int from = columns.offset(i);
    int to = from + columns.length(i);
    return needed.isPassed(bytes, from, to) || Backslashes.areIn(bytes, from, to);
  }

  /** What the language says. */
  boolean evaluate(Columns columns, int i, String type) {
    try {
      return Boolean.TRUE.equals(program.eval(new EventVariables(columns, i, type)));
    } catch (CelEvaluationException e) {
      return false;
    }
  }
}
