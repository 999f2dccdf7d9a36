package hourglass.query.where;

import com.google.re2j.Pattern;
import dev.cel.common.CelAbstractSyntaxTree;
import hourglass.bytes.ByteSearch;
import hourglass.query.filter.Condition;
import hourglass.query.filter.Effort;
import hourglass.query.filter.EventParts;
import hourglass.query.filter.FilterPushdown;
import hourglass.query.filter.Outcomes;
import hourglass.query.filter.RequiredTexts;
import hourglass.query.where.json.FieldTree;
import hourglass.store.Columns;
import hourglass.store.FieldFilter;
import hourglass.store.SoughtWord;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A CEL expression over an event: {@code data} is its payload, besides {@code type}, {@code time}
 * and {@code id}. An event does not match if its evaluation fails, for example at an absent field.
 * Immutable, and safe to share.
 */
public final class Where {
  /** The number of cached expressions. The largest needs 90 KB, most need 1 KB. */
  private static final int RECENT_MAX = 32;

  /**
   * The expressions that were compiled last, by their text. Compilation takes 1 to 12 ms, as long
   * as many an answer, and each page of an answer or refresh of a dashboard repeats the same
   * expression. Those with regular expressions are left out, which keep memory for each thread that
   * has used them.
   */
  private static final Map<String, Where> RECENT =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Where> eldest) {
              return size() > RECENT_MAX;
            }
          });

  private final Condition condition;
  private final FieldTree fields;
  private final EventValues.Shape shape;
  private final Map<String, Pattern> patterns;
  private final RequiredTexts required;

  private Where(
      Condition condition,
      FieldTree fields,
      EventValues.Shape shape,
      Map<String, Pattern> patterns) {
    this.condition = condition;
    this.fields = fields;
    this.shape = shape;
    this.patterns = patterns;
    required = RequiredTexts.of(condition);
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
    Where recent = RECENT.get(expression);
    if (recent != null) {
      return recent;
    }
    CelAbstractSyntaxTree checked = Cel.check(expression);
    Nesting.check(checked);
    Path.checkNames(checked);
    Where compiled = Effort.within(gone, Map.of(), () -> of(checked));
    if (compiled.patterns.isEmpty()) {
      RECENT.put(expression, compiled);
    }
    return compiled;
  }

  /** Compiles a checked expression. Its constants are evaluated here, outside of events. */
  private static Where of(CelAbstractSyntaxTree checked) {
    Constants constants = new Constants(checked);
    ExpressionCompiler expressions = new ExpressionCompiler(checked, constants);
    ConditionCompiler compiler = new ConditionCompiler(constants, expressions);
    Condition condition = compiler.of(checked.getExpr());
    return new Where(condition, compiler.fields(), expressions.shape(), constants.patterns());
  }

  /**
   * Whether the expression is true for column {@code i} of a row.
   *
   * @throws WhereException if the evaluation needs too many steps or too much memory; the message
   *     names the event
   * @throws CancellationException if the client has cancelled the query, checked every millisecond
   *     or so
   */
  public boolean matches(Columns columns, int i, String type, BooleanSupplier gone) {
    boolean isShort = patterns.isEmpty() && columns.length(i) < Effort.LONG_BYTES;
    int possible =
        isShort // too little work to be counted
            ? outcomes(columns, i, type)
            : within(columns, i, gone, () -> outcomes(columns, i, type));
    if (Outcomes.isKnown(possible) || (possible & Outcomes.TRUE) == 0) {
      return possible == Outcomes.TRUE;
    }
    return within(columns, i, gone, () -> outcome(columns, i, type)) == Outcomes.TRUE;
  }

  /**
   * Returns a filter that every matching payload with one text and one word of each list passes,
   * for events of a type, or of any type if it is null. Returns null if the expression reads no
   * field and not this type, or contains regular expressions, whose effort counts for each event.
   */
  public @Nullable FieldFilter fields(
      @Nullable String type, List<List<ByteSearch>> texts, List<List<SoughtWord>> words) {
    boolean isNeeded = condition.readsPayload() || (type != null && condition.readsType());
    return isNeeded && patterns.isEmpty()
        ? new FilterPushdown(
            condition.inStore(), (bytes, places) -> true, fields, type, texts, words)
        : null;
  }

  /** Returns the texts and words that a payload needs to match. */
  public RequiredTexts required() {
    return required;
  }

  /** Returns the outcomes that are possible by the bytes of fields alone. */
  int outcomes(Columns columns, int i, String type) {
    return condition.outcomes(new EventParts(columns, i, type, fields));
  }

  private int outcome(Columns columns, int i, String type) {
    EventValues values = new EventValues(columns, i, type, shape);
    int outcome;
    try {
      outcome = condition.outcomes(new EventParts(columns, i, type, fields).decideBy(values));
    } catch (IllegalArgumentException e) { // the payload is not valid JSON
      outcome = Outcomes.ERROR;
    }
    if (outcome == Outcomes.ERROR) {
      values.checkSteps();
    }
    return outcome;
  }

  private <T> T within(Columns columns, int i, BooleanSupplier gone, Supplier<T> look) {
    try {
      return Effort.within(gone, patterns, look);
    } catch (Effort.ExceededError e) {
      throw new WhereException("for event " + columns.id(i) + " it " + e.getMessage());
    }
  }
}
