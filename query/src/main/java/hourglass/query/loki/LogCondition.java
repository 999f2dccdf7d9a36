package hourglass.query.loki;

import hourglass.bytes.JsonNumber;
import hourglass.query.filter.Condition;
import hourglass.query.filter.Condition.Known;
import hourglass.query.filter.ConditionFilter;
import hourglass.query.filter.Outcomes;
import hourglass.query.filter.ScalarTest;
import hourglass.query.filter.TextTest;
import hourglass.query.filter.ValueTest;
import hourglass.query.line.LabelFields;
import hourglass.query.line.LevelFields;
import hourglass.query.line.LineFields;
import hourglass.query.line.LineParts;
import hourglass.query.line.StreamLabels;
import hourglass.query.logql.LabelTest;
import hourglass.query.logql.LogSelector;
import hourglass.query.logql.Matcher;
import hourglass.query.logql.Quantities;
import hourglass.query.logql.Stage;
import hourglass.query.logql.Stage.LineFilter;
import hourglass.query.where.json.FieldTree;
import hourglass.store.FieldFilter;
import hourglass.store.TextFilter;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The filters of a log query that the fields of an event can decide, as a {@link Condition}:
 *
 * <pre>
 * {app="shop"} | json | ms > 20           decides, unless the line is a text
 * {app="shop"} |= "a" | json | ms > 20    decides the labels, and requires a text
 * {app="shop"} | logfmt | ms > 20         decides app
 * </pre>
 *
 * <p>After {@code | json}, the fields of a payload are labels if the line is the payload or was
 * pushed as an object. The label must not contain an underscore, which may stand for any character.
 * Immutable.
 *
 * @param labels the tests of labels, for events whose type passes the query
 * @param decidesLabels whether, where {@code labels} is true, only line filters are left to test,
 *     on a line that no stage has changed
 * @param hasExpressions whether {@code labels} contains regular expressions. Their steps count as
 *     work of the event, so the store does not evaluate them
 * @param dropped the labels that are removed before the end of the pipeline
 * @param inStore null if the store could not leave out any event
 * @param deciding a filter by which the store can match events for certain; null if the query needs
 *     more than fields
 */
record LogCondition(
    FieldTree fields,
    Condition labels,
    boolean decidesLabels,
    boolean hasExpressions,
    Set<String> dropped,
    @Nullable FieldFilter inStore,
    @Nullable FieldFilter deciding) {

  /**
   * Derives the condition of a query.
   *
   * @param tellsLevel whether an event certainly matches only if {@link LevelFields#isUsual}
   */
  static LogCondition of(
      LogSelector query, StreamLabels rules, Pipeline pipeline, boolean tellsLevel) {
    Compiler compiler = new Compiler(rules, pipeline);
    for (Matcher matcher : query.matchers()) {
      if (!matcher.name().equals(StreamLabels.SERVICE)) {
        compiler.add(new LabelTest.OfText(matcher));
      }
    }
    for (Stage stage : query.stages()) {
      if (!compiler.add(stage)) {
        compiler.decidesLabels = false;
        break; // what follows is about labels or a line that only the payload tells
      }
    }
    return compiler.toCondition(tellsLevel);
  }

  static boolean mayLeaveOut(Stage stage) {
    return stage instanceof LineFilter || stage instanceof Stage.LabelFilter;
  }

  private static final class Compiler {
    private final StreamLabels rules;
    private final Pipeline pipeline;
    private final FieldTree fields = new FieldTree();
    private final LineFields line = LineFields.of(fields::add);
    private final LineTexts texts = new LineTexts();
    private final Set<String> dropped = new HashSet<>();
    private Condition labels = Known.TRUE;

    /**
     * The last tests of the level. They come after tests of other labels, since the level may have
     * to be derived from the line, but before the next regular expression, whose steps count.
     */
    private Condition levels = Known.TRUE;

    /** The tests without regular expressions. */
    private Condition inStore = Known.TRUE;

    private int expressions;
    private boolean decidesLabels = true;
    private boolean hasLineFilters;
    private boolean readsLine;

    Compiler(StreamLabels rules, Pipeline pipeline) {
      this.rules = rules;
      this.pipeline = pipeline;
    }

    LogCondition toCondition(boolean tellsLevel) {
      boolean decides = decidesLabels && !hasLineFilters && expressions == 0;
      boolean isOfJson = readsLine;
      LevelFields level = tellsLevel ? LevelFields.of(rules, fields) : null;
      FieldFilter filter =
          new ConditionFilter(
              inStore,
              (bytes, places) ->
                  decides
                      && (!isOfJson || line.areOfJson(bytes, places))
                      && (level == null || level.isUsual(bytes, places)),
              fields,
              null,
              texts.required());
      FieldFilter ofTexts = texts.required().isEmpty() ? null : new TextFilter(texts.required());
      return new LogCondition(
          fields,
          Condition.and(labels, levels),
          decidesLabels,
          expressions > 0,
          Set.copyOf(dropped),
          inStore == Known.TRUE ? ofTexts : filter,
          decides ? filter : null);
    }

    /** Adds the tests of a stage. Returns false if the stages after it cannot be tested. */
    boolean add(Stage stage) {
      if (stage instanceof LineFilter filter) {
        hasLineFilters = true;
        texts.add(filter);
        return true;
      }
      if (stage instanceof Stage.LabelFilter filter) {
        add(filter.test());
        return true;
      }
      if (stage instanceof Stage.Select select && !select.keeps()) {
        dropped.addAll(select.names());
        return true;
      }
      boolean isFirstJson = stage instanceof Stage.Json && !readsLine;
      readsLine |= isFirstJson;
      return isFirstJson;
    }

    void add(LabelTest test) {
      if (test instanceof LabelTest.And and) {
        add(and.a());
        add(and.b());
        return;
      }
      int others = expressions;
      Condition condition = of(test);
      if (condition == Known.EITHER) {
        decidesLabels = false;
        return;
      }
      boolean isExpression = expressions > others;
      if (condition instanceof Condition.OfLevel) {
        levels = Condition.and(levels, condition);
      } else if (isExpression) {
        labels = Condition.and(Condition.and(labels, levels), condition);
        levels = Known.TRUE;
      } else {
        labels = Condition.and(labels, condition);
      }
      inStore = isExpression ? inStore : Condition.and(inStore, condition);
    }

    /** Returns the condition of a test, or {@link Known#EITHER} if fields cannot answer it. */
    private Condition of(LabelTest test) {
      if (test instanceof LabelTest.And and) {
        Condition a = of(and.a());
        Condition b = of(and.b());
        return a == Known.EITHER || b == Known.EITHER ? Known.EITHER : Condition.and(a, b);
      }
      if (test instanceof LabelTest.Or or) {
        Condition a = of(or.a());
        Condition b = of(or.b());
        return a == Known.EITHER || b == Known.EITHER ? Known.EITHER : Condition.or(a, b);
      }
      if (test instanceof LabelTest.OfNumber number) {
        boolean isLevel = number.name().equals(StreamLabels.DETECTED_LEVEL); // no level is a number
        return isLevel ? Known.EITHER : ofLabel(number.name(), new NumberTest(number), false);
      }
      Matcher matcher = ((LabelTest.OfText) test).matcher();
      expressions += Pipeline.isExpression(matcher) ? 1 : 0;
      TextTest text = pipeline.test(matcher);
      if (!matcher.name().equals(StreamLabels.DETECTED_LEVEL)) {
        return ofLabel(matcher.name(), new ScalarTest(text), text.holds(""));
      }
      return dropped.contains(StreamLabels.DETECTED_LEVEL)
          ? Known.EITHER
          : new Condition.OfLevel(LevelFields.of(rules, fields), text);
    }

    private Condition ofLabel(String name, ValueTest test, boolean holdsWithout) {
      boolean isAmbiguous = readsLine && name.indexOf('_') >= 0;
      if (name.equals(StreamLabels.SERVICE) || dropped.contains(name) || isAmbiguous) {
        return Known.EITHER;
      }
      int without = Outcomes.of(holdsWithout);
      return new Condition.OfLabel(
          LabelFields.of(ofObject -> rules.allPaths(name, ofObject), fields::add),
          test,
          readsLine
              ? new Condition.OfMember(line, fields.add(name), test, without)
              : new Known(without));
    }
  }

  /** A test of the number in a label, which may be a string. */
  private record NumberTest(LabelTest.OfNumber number) implements ValueTest {
    @Override
    public int outcomes(byte[] json, int from, int to) {
      boolean isNumber =
          number.unit() == LabelTest.Unit.NUMBER
              && JsonNumber.begins(json[from])
              && to - from <= Quantities.CHARS_MAX;
      double value = isNumber ? JsonNumber.of(json, from, to) : 0;
      // Numbers with exponents may be too large, or become zero.
      return Outcomes.of(
          value != 0 && Double.isFinite(value)
              ? number.comparison().holds(value, number.value())
              : number.holds(LineParts.scalar(json, from, to)));
    }

    @Override
    public @Nullable Bound bound() {
      return number.unit() == LabelTest.Unit.NUMBER
          ? new Bound(number.comparison(), number.value())
          : null;
    }
  }
}
