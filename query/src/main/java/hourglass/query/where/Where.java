package hourglass.query.where;

import dev.cel.common.CelAbstractSyntaxTree;
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
  private final ByteTest needed;
  private final QuickTest quick;
  private final FieldTree fields;
  private final Evaluation evaluation;

  private Where(ByteTest needed, QuickTest quick, FieldTree fields, Evaluation evaluation) {
    this.needed = needed;
    this.quick = quick;
    this.fields = fields;
    this.evaluation = evaluation;
  }

  /**
   * Reads an expression; the first takes longer where there was no {@link WarmUp}.
   *
   * @throws WhereException if it is none, or too large; the message names the position, columns
   *     counted from 1 in characters
   */
  public static Where compile(String expression) {
    CelAbstractSyntaxTree checked = Cel.check(expression);
    Nesting.check(checked);
    QuickTests quick = new QuickTests(new Constants(checked));
    return new Where(
        NeededBytes.of(checked.getExpr()),
        quick.of(checked.getExpr()),
        quick.fields(),
        Evaluation.of(expression, checked));
  }

  /**
   * Whether it is true for column {@code i} of a row of a type.
   *
   * @throws WhereException if that takes too many steps, or too much memory, to tell; the message
   *     names the event
   */
  public boolean matches(Columns columns, int i, String type) {
    if (!mayMatch(columns, i)) {
      return false;
    }
    int outcomes = glance(columns, i, type);
    return outcomes == Outcomes.TRUE
        || ((outcomes & Outcomes.TRUE) != 0 && evaluate(columns, i, type));
  }

  /** What the bytes say, before anything is read; an escape may spell anything. */
  boolean mayMatch(Columns columns, int i) {
    byte[] bytes = columns.bytes();
    int from = columns.offset(i);
    int to = from + columns.length(i);
    return needed.isPassed(bytes, from, to) || Backslashes.areIn(bytes, from, to);
  }

  /** What a look at the fields says. */
  int glance(Columns columns, int i, String type) {
    return quick.outcomes(new EventParts(columns, i, type, fields));
  }

  /** What the language says. */
  boolean evaluate(Columns columns, int i, String type) {
    return evaluation.isTrue(columns, i, type);
  }
}
