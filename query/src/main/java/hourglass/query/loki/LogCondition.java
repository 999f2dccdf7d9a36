package hourglass.query.loki;

import hourglass.bytes.JsonNumber;
import hourglass.query.filter.Condition;
import hourglass.query.filter.Condition.Compound;
import hourglass.query.filter.Condition.Known;
import hourglass.query.filter.EventParts;
import hourglass.query.filter.FilterPushdown;
import hourglass.query.filter.Outcomes;
import hourglass.query.filter.ScalarTest;
import hourglass.query.filter.TextTest;
import hourglass.query.filter.ValueTest;
import hourglass.query.filter.ViewCondition;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The filters of a log query as a {@link Condition}. Each is a leaf that sees the line after the
 * stages before it. The fields of an event decide some of them without its line:
 *
 * <pre>
 * {app="shop"} | json | ms > 20           both, unless the line is a text
 * {app="shop"} |= "a" | json | ms > 20    both; the store searches for the text
 * {app="shop"} | logfmt | ms > 20         app
 * </pre>
 *
 * <p>After {@code | json}, the fields of a payload are labels if the line is the payload or was
 * pushed as an object. The label must not contain an underscore, which may stand for any character.
 * Immutable.
 *
 * @param types the filters of the type
 * @param all all other filters, in the order of the pipeline
 * @param early those of them that fields can decide, without regular expressions, whose steps count
 *     as work of the event. They come first, since they need a fraction of the time
 * @param rest the filters that are left if {@code early} is true, in the order of the pipeline
 * @param hasExpressions whether fields can decide regular expressions
 * @param dropped the labels that are removed before the end of the pipeline
 * @param inStore null if the store could not leave out any event
 * @param deciding a filter by which the store can match events for certain; null if the query needs
 *     more than fields
 */
record LogCondition(
    FieldTree fields,
    Condition types,
    Condition all,
    Condition early,
    Condition rest,
    boolean hasExpressions,
    Set<String> dropped,
    @Nullable FieldFilter inStore,
    @Nullable FieldFilter deciding) {

  /**
   * Derives the condition of a query. Throws IllegalArgumentException if a regular expression is
   * invalid or too large.
   *
   * @param tellsLevel whether an event certainly matches only if {@link LevelFields#isUsual}
   */
  static LogCondition of(
      LogSelector query, StreamLabels rules, TextTests texts, boolean tellsLevel) {
    Compiler compiler = new Compiler(rules, texts);
    for (Matcher matcher : query.matchers()) {
      if (matcher.name().equals(StreamLabels.SERVICE)) {
        compiler.addType(texts.of(matcher));
      } else {
        compiler.add(new LabelTest.OfText(matcher));
      }
    }
    query.stages().forEach(compiler::add);
    return compiler.toCondition(tellsLevel);
  }

  boolean takesType(String type) {
    return types.outcomes(EventParts.ofType(type)) == Outcomes.TRUE;
  }

  /**
   * Returns the filters that are left to test after those that the fields of an event decide:
   * {@link Known#TRUE} if there are none, or {@link Known#FALSE} if the event does not match.
   */
  Condition left(EventParts event) {
    return switch (early.outcomes(event)) {
      case Outcomes.TRUE -> rest;
      case Outcomes.FALSE -> Known.FALSE;
      default -> all;
    };
  }

  private static final class Compiler {
    private final StreamLabels rules;
    private final TextTests tests;
    private final FieldTree fields = new FieldTree();
    private final LineFields line = LineFields.of(fields::add);
    private final LineTexts texts = new LineTexts();
    private final LabelChanges changes = new LabelChanges();
    private final List<Condition> types = new ArrayList<>();
    private final List<Condition> all = new ArrayList<>();
    private final List<Condition> early = new ArrayList<>();
    private final List<Condition> rest = new ArrayList<>();

    /**
     * The early tests of the level. They come after tests of other labels, since the level may have
     * to be derived from the line.
     */
    private final List<Condition> levels = new ArrayList<>();

    private boolean hasExpressions;

    Compiler(StreamLabels rules, TextTests tests) {
      this.rules = rules;
      this.tests = tests;
    }

    LogCondition toCondition(boolean tellsLevel) {
      early.addAll(levels);
      Condition byFields = Condition.all(early);
      boolean decides = !changes.needLine() && rest.isEmpty();
      boolean isOfJson = changes.readLine();
      LevelFields level = tellsLevel ? LevelFields.of(rules, fields) : null;
      FieldFilter filter =
          new FilterPushdown(
              byFields,
              (bytes, places) ->
                  decides
                      && (!isOfJson || line.areOfJson(bytes, places))
                      && (level == null || level.isUsual(bytes, places)),
              fields,
              null,
              texts.required(),
              List.of());
      FieldFilter ofTexts = texts.required().isEmpty() ? null : new TextFilter(texts.required());
      return new LogCondition(
          fields,
          Condition.all(types),
          Condition.all(all),
          byFields,
          Condition.all(rest),
          hasExpressions,
          changes.dropped(),
          early.isEmpty() ? ofTexts : filter,
          decides ? filter : null);
    }

    void addType(TextTest test) {
      types.add(new Condition.OfText(true, test));
    }

    void add(Stage stage) {
      if (stage instanceof LineFilter filter) {
        add(filter);
      } else if (stage instanceof Stage.LabelFilter filter) {
        add(filter.test());
      } else {
        changes.add(stage);
      }
    }

    private void add(LineFilter filter) {
      if (changes.ofText() == 0) {
        texts.add(filter);
      }
      boolean isRegex = filter.operator().isRegex();
      Condition any =
          Condition.any(
              filter.texts().stream()
                  .map(text -> isRegex ? tests.matches(text) : TextTests.contains(text))
                  .map(test -> leaf(Known.EITHER, changes.ofText(), test))
                  .toList());
      boolean isNegative = filter.operator().isNegative();
      addLater(isNegative ? new Compound(Compound.Operator.NOT, List.of(any)) : any);
    }

    private void addLater(Condition condition) {
      all.add(condition);
      rest.add(condition);
    }

    void add(LabelTest test) {
      if (test instanceof LabelTest.And and) {
        add(and.a());
        add(and.b());
        return;
      }
      Condition condition = of(test);
      boolean isOfFields = isOfFields(condition);
      if (!isOfFields || hasExpression(test)) {
        hasExpressions |= isOfFields;
        addLater(condition);
        return;
      }
      all.add(condition);
      Condition byFields = condition.inStore();
      List<Condition> before = byFields instanceof Condition.OfLevel ? levels : early;
      before.add(byFields);
    }

    private static boolean hasExpression(LabelTest test) {
      if (test instanceof LabelTest.And and) {
        return hasExpression(and.a()) || hasExpression(and.b());
      }
      if (test instanceof LabelTest.Or or) {
        return hasExpression(or.a()) || hasExpression(or.b());
      }
      return test instanceof LabelTest.OfText text && TextTests.isExpression(text.matcher());
    }

    /** Whether fields can decide all leaves of a condition. */
    private static boolean isOfFields(Condition condition) {
      return condition instanceof Compound compound
          ? compound.of().stream().allMatch(Compiler::isOfFields)
          : condition instanceof ViewCondition<?> leaf && leaf.bytes() != Known.EITHER;
    }

    private Condition of(LabelTest test) {
      if (test instanceof LabelTest.And and) {
        return Condition.and(of(and.a()), of(and.b()));
      }
      if (test instanceof LabelTest.Or or) {
        return Condition.or(of(or.a()), of(or.b()));
      }
      if (test instanceof LabelTest.OfNumber number) {
        String name = number.name();
        boolean isLevel = name.equals(StreamLabels.DETECTED_LEVEL); // no level is a number
        return leaf(
            isLevel ? Known.EITHER : byFields(name, new NumberTest(number), false),
            changes.count(),
            at -> number.holds(at.label(name)));
      }
      Matcher matcher = ((LabelTest.OfText) test).matcher();
      TextTest text = tests.of(matcher);
      return leaf(
          byFields(matcher.name(), text),
          changes.count(),
          at -> text.holds(Objects.requireNonNullElse(at.label(matcher.name()), "")));
    }

    /**
     * Returns a leaf.
     *
     * @param bytes {@link Known#EITHER} if fields cannot decide
     * @param after the number of changes before the test
     */
    private static Condition leaf(Condition bytes, int after, Predicate<LogLine> test) {
      return new ViewCondition<>(
          bytes, StagedLine.class, staged -> Outcomes.of(test.test(staged.after(after))));
    }

    private Condition byFields(String name, TextTest text) {
      if (!name.equals(StreamLabels.DETECTED_LEVEL)) {
        return byFields(name, new ScalarTest(text), text.holds(""));
      }
      return changes.hide(name)
          ? Known.EITHER
          : new Condition.OfLevel(LevelFields.of(rules, fields), text);
    }

    private Condition byFields(String name, ValueTest test, boolean holdsWithout) {
      boolean isAmbiguous = changes.readLine() && name.indexOf('_') >= 0;
      boolean isType = name.equals(StreamLabels.SERVICE);
      if (isType || isAmbiguous || changes.hide(name)) {
        return Known.EITHER;
      }
      int without = Outcomes.of(holdsWithout);
      return new Condition.OfLabel(
          LabelFields.of(ofObject -> rules.allPaths(name, ofObject), fields::add),
          test,
          changes.readLine()
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
