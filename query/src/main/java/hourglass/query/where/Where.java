package hourglass.query.where;

import com.google.re2j.Pattern;
import dev.cel.common.CelAbstractSyntaxTree;
import hourglass.query.where.json.Backslashes;
import hourglass.query.where.json.Effort;
import hourglass.query.where.json.FieldTree;
import hourglass.store.Columns;
import hourglass.store.FieldFilter;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A CEL expression over an event: {@code data} is its payload, beside {@code type}, {@code time}
 * and {@code id}. An event whose evaluation fails, such as at an absent field, does not match.
 * Immutable, and safe to share.
 */
public final class Where {
  private final ByteTest needed;
  private final QuickTest quick;
  private final FieldTree fields;
  private final Evaluation evaluation;
  private final Map<String, Pattern> patterns;

  private Where(
      ByteTest needed,
      QuickTest quick,
      FieldTree fields,
      Evaluation evaluation,
      Map<String, Pattern> patterns) {
    this.needed = needed;
    this.quick = quick;
    this.fields = fields;
    this.evaluation = evaluation;
    this.patterns = patterns;
  }

  /**
   * Compiles an expression.
   *
   * @throws WhereException if it is invalid or too large; columns in the message count characters
   *     from 1
   */
  public static Where compile(String expression) {
    return compile(expression, () -> false);
  }

  public static Where compile(String expression, BooleanSupplier gone) {
    CelAbstractSyntaxTree checked = Cel.check(expression);
    Nesting.check(checked);
    Effort.begin(gone, Map.of()); // Constants are evaluated outside of events.
    try {
      Constants constants = new Constants(checked);
      QuickTests quick = new QuickTests(constants);
      QuickTest test = quick.of(checked.getExpr());
      Effort.current().look();
      Evaluation evaluation = Evaluation.of(expression, checked);
      ByteTest needed = NeededBytes.of(checked.getExpr());
      return new Where(needed, test, quick.fields(), evaluation, constants.patterns());
    } catch (Effort.GoneError e) {
      throw new CancellationException(e.getMessage());
    } finally {
      Effort.end();
    }
  }

  /**
   * Whether the expression is true for column {@code i} of a row.
   *
   * @throws WhereException if that takes too many steps or too much memory; the message names the
   *     event
   * @throws CancellationException if the client gave the query up, checked every millisecond or so
   */
  public boolean matches(Columns columns, int i, String type, BooleanSupplier gone) {
    if (patterns.isEmpty() && columns.length(i) < Effort.LONG_BYTES) {
      int outcomes = look(columns, i, type);
      return outcomes == Outcomes.TRUE
          || ((outcomes & Outcomes.TRUE) != 0 && evaluate(columns, i, type, gone));
    }
    int outcomes = within(columns, i, gone, () -> look(columns, i, type));
    return outcomes == Outcomes.TRUE
        || ((outcomes & Outcomes.TRUE) != 0 && evaluate(columns, i, type, gone));
  }

  /**
   * A filter that every matching payload passes. Null if the expression reads no field, or has
   * regular expressions, whose effort counts for each event.
   */
  public @Nullable FieldFilter fields() {
    return quick.readsPayload() && patterns.isEmpty() ? new QuickFilter(quick, fields) : null;
  }

  private int look(Columns columns, int i, String type) {
    return mayMatch(columns, i) ? glance(columns, i, type) : Outcomes.FALSE;
  }

  /** An escape may spell anything. */
  boolean mayMatch(Columns columns, int i) {
    byte[] bytes = columns.bytes();
    int from = columns.offset(i);
    int to = from + columns.length(i);
    return needed.isPassed(bytes, from, to) || Backslashes.areIn(bytes, from, to);
  }

  int glance(Columns columns, int i, String type) {
    return quick.outcomes(new EventParts(columns, i, type, fields));
  }

  boolean evaluate(Columns columns, int i, String type, BooleanSupplier gone) {
    return within(columns, i, gone, () -> evaluation.isTrue(columns, i, type));
  }

  private <T> T within(Columns columns, int i, BooleanSupplier gone, Supplier<T> look) {
    Effort.begin(gone, patterns);
    try {
      return look.get();
    } catch (Effort.ExceededError e) {
      throw new WhereException("for event " + columns.id(i) + " it " + e.getMessage());
    } catch (Effort.GoneError e) {
      throw new CancellationException(e.getMessage());
    } finally {
      Effort.end();
    }
  }
}
