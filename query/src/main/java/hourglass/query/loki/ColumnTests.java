package hourglass.query.loki;

import hourglass.bytes.ByteSearch;
import hourglass.bytes.JsonNumber;
import hourglass.query.line.LevelFields;
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
import hourglass.store.FieldValue;
import hourglass.store.TextFilter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tests of a log query that the values of fields can answer. Immutable.
 *
 * <p>A test has three outcomes, since some labels are only known with the whole line. After {@code
 * | json}, the fields of a payload are labels if the line is the payload or was pushed as an
 * object. The label must not contain an underscore, which may stand for any character.
 */
final class ColumnTests implements FieldFilter {
  /**
   * All characters except those that no writer of JSON escapes, and that do not occur between two
   * tokens.
   */
  private static final Pattern NOT_PLAIN = Pattern.compile("[^a-zA-Z0-9 _.()#*!@$%~^?;|-]+");

  /** A character next to which a blank may be a line break in the payload. */
  private static final Pattern BETWEEN_TOKENS = Pattern.compile("[,:{}\\[\\]]");

  /** A character at which a line that was pushed as an object may have been divided. */
  private static final Pattern BREAK = Pattern.compile("[ ,{}]");

  static final int TRUE = 1;
  static final int FALSE = 2;
  static final int UNKNOWN = TRUE | FALSE;

  /** The test of a condition that fields cannot answer. */
  private static final Test NONE = (bytes, places) -> UNKNOWN;

  private final StreamLabels rules;
  private final boolean withExpressions;
  private final @Nullable LevelFields levelFields;
  private final FieldTree fields = new FieldTree();
  private final List<Test> tests = new ArrayList<>();
  private final List<List<FieldValue>> required = new ArrayList<>();
  private final int labels = fields.add(StreamLabels.LABELS, List.of());
  private final int object = fields.add(StreamLabels.LABELS_OF_OBJECT, List.of());
  private final int facility = fields.add("facility", List.of());

  // The bounds of fields that are labels if no other field is. They lie outside of the matching
  // values.
  private final Map<Integer, Double> least = new HashMap<>();
  private final Map<Integer, Double> greatest = new HashMap<>();
  private final Set<Integer> others = new HashSet<>(List.of(labels, facility));

  /** A text that each matching payload contains. */
  private String plain = "";

  /** A text that each matching payload without escapes contains. */
  private String unescaped = "";

  private List<List<ByteSearch>> texts = List.of();

  /** The labels that a stage removes, so that no field is one of them afterwards. */
  private final Set<String> dropped = new HashSet<>();

  private boolean decidesLabels = true;
  private boolean hasLineFilters;
  private boolean isWithout;
  private boolean readsLine;

  private interface Test {
    int outcomes(byte[] bytes, int[] places);
  }

  /** A test of a label. */
  private interface ValueTest {
    /** Whether a JSON value that is a label passes. */
    boolean holds(byte[] json, int from, int to);

    /** Whether an event without the label passes. */
    boolean holdsWithout();
  }

  private ColumnTests(StreamLabels rules, boolean withExpressions, boolean tellsLevel) {
    this.rules = rules;
    this.withExpressions = withExpressions;
    levelFields = tellsLevel ? LevelFields.of(rules, fields) : null;
  }

  /**
   * Returns the tests of a query.
   *
   * @param withExpressions whether regular expressions are tested as well. Their steps count as
   *     work of the event, so such tests are not for the store.
   * @param tellsLevel whether an event certainly matches only if the fields of {@link
   *     LevelFields#told} contain its detected level
   */
  static ColumnTests of(
      LogSelector query,
      StreamLabels rules,
      Pipeline pipeline,
      boolean withExpressions,
      boolean tellsLevel) {
    ColumnTests tests = new ColumnTests(rules, withExpressions, tellsLevel);
    for (Matcher matcher : query.matchers()) {
      if (!matcher.name().equals(StreamLabels.SERVICE)) {
        tests.add(tests.ofText(matcher, pipeline, false));
        tests.require(matcher);
      }
    }
    for (Stage stage : query.stages()) {
      if (!tests.add(stage, pipeline)) {
        tests.decidesLabels = false;
        break; // what follows is about labels or a line that only the payload tells
      }
    }
    tests.texts = tests.searches();
    return tests;
  }

  static boolean mayLeaveOut(Stage stage) {
    return stage instanceof LineFilter || stage instanceof Stage.LabelFilter;
  }

  /** Adds the tests of a stage. Returns false if the stages after it cannot be tested. */
  private boolean add(Stage stage, Pipeline pipeline) {
    if (stage instanceof LineFilter filter) {
      hasLineFilters = true;
      if (filter.operator() == LineFilter.Operator.CONTAINS && filter.texts().size() == 1) {
        search(filter.texts().get(0));
      }
      return true;
    }
    if (stage instanceof Stage.LabelFilter filter) {
      add(of(filter.test(), pipeline));
      bound(filter.test());
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

  private void add(Test test) {
    if (test == NONE) {
      decidesLabels = false;
    } else {
      tests.add(test);
    }
  }

  /** Adds bounds of numbers, which the store can compare without writing numbers as text. */
  private void bound(LabelTest test) {
    if (test instanceof LabelTest.And and) {
      bound(and.a());
      bound(and.b());
    } else if (test instanceof LabelTest.OfNumber number
        && readsLine
        && number.unit() == LabelTest.Unit.NUMBER
        && number.name().indexOf('_') < 0) {
      int field = fields.add(number.name(), List.of());
      places(rules.allPaths(number.name())).forEach(others::add);
      places(rules.allPathsOfObject(number.name())).forEach(others::add);
      double value = number.value();
      LabelTest.Comparison comparison = number.comparison();
      switch (comparison) {
        case EQUAL, GREATER, AT_LEAST -> least.merge(field, Math.nextDown(value), Math::max);
        default -> {}
      }
      switch (comparison) {
        case EQUAL, LESS, AT_MOST -> greatest.merge(field, Math.nextUp(value), Math::min);
        default -> {}
      }
    }
  }

  /**
   * Adds a text for the store to search for. The store searches for the longest text, and for the
   * longest that may be escaped.
   */
  private void search(String wanted) {
    plain = longest(plain, NOT_PLAIN.splitAsStream(wanted));
    if (NOT_PLAIN.matcher(wanted).find()) {
      boolean mayBreak = BETWEEN_TOKENS.matcher(wanted).find();
      unescaped = longest(unescaped, mayBreak ? BREAK.splitAsStream(wanted) : Stream.of(wanted));
    }
  }

  private static String longest(String known, Stream<String> others) {
    return others.map(String::strip).reduce(known, (a, b) -> b.length() > a.length() ? b : a);
  }

  /**
   * Returns the texts to search for. If no payload contains an escape, the second list need not be
   * searched for.
   */
  private List<List<ByteSearch>> searches() {
    List<List<ByteSearch>> all = new ArrayList<>();
    if (!unescaped.isEmpty()) {
      all.add(List.of(bytes(unescaped), bytes("\\")));
    }
    if (!plain.isEmpty()) {
      all.add(List.of(bytes(plain)));
    }
    return all;
  }

  private static ByteSearch bytes(String text) {
    return new ByteSearch(text.getBytes(StandardCharsets.UTF_8), false);
  }

  /**
   * Adds a value that events need, since a page without the value of a label contains no matching
   * event.
   */
  private void require(Matcher matcher) {
    String value = matcher.value();
    boolean mayBeOtherThanText = value.isEmpty() || "-0123456789tf".indexOf(value.charAt(0)) >= 0;
    boolean isPlain = !NOT_PLAIN.matcher(value).find();
    boolean isAsStored = isPlain && !matcher.name().equals(StreamLabels.DETECTED_LEVEL);
    if (matcher.operator() != Matcher.Operator.EQUAL || mayBeOtherThanText || !isAsStored) {
      return;
    }
    IntStream paths =
        IntStream.concat(
            places(rules.allPaths(matcher.name())), places(rules.allPathsOfObject(matcher.name())));
    required.add(
        paths
            .mapToObj(fields::keys)
            .flatMap(List::stream)
            .distinct()
            .map(key -> FieldValue.of(key, value))
            .toList());
  }

  private Test of(LabelTest test, Pipeline pipeline) {
    if (test instanceof LabelTest.And and) {
      Test a = of(and.a(), pipeline);
      Test b = of(and.b(), pipeline);
      if (a == NONE || b == NONE) {
        decidesLabels = false;
        return a == NONE ? b : a;
      }
      return (bytes, places) -> {
        int first = a.outcomes(bytes, places);
        return first == FALSE ? FALSE : and(first, b.outcomes(bytes, places));
      };
    }
    if (test instanceof LabelTest.Or or) {
      Test a = of(or.a(), pipeline);
      Test b = of(or.b(), pipeline);
      if (a == NONE || b == NONE) {
        return NONE; // the other one leaves nothing out
      }
      return (bytes, places) -> {
        int first = a.outcomes(bytes, places);
        return first == TRUE ? TRUE : not(and(not(first), not(b.outcomes(bytes, places))));
      };
    }
    if (test instanceof LabelTest.OfText text) {
      return ofText(text.matcher(), pipeline, readsLine);
    }
    LabelTest.OfNumber number = (LabelTest.OfNumber) test;
    if (number.name().equals(StreamLabels.DETECTED_LEVEL)) {
      return NONE; // nobody asks for it
    }
    return ofLabel(
        number.name(),
        readsLine,
        new ValueTest() {
          @Override
          public boolean holds(byte[] json, int from, int to) {
            boolean isNumber =
                number.unit() == LabelTest.Unit.NUMBER
                    && JsonNumber.begins(json[from])
                    && to - from <= Quantities.CHARS_MAX;
            double value = isNumber ? JsonNumber.of(json, from, to) : 0;
            // Numbers with exponents may be too large, or become zero.
            return value != 0 && Double.isFinite(value)
                ? number.comparison().holds(value, number.value())
                : Pipeline.holds(number, LineParts.scalar(json, from, to));
          }

          @Override
          public boolean holdsWithout() {
            return false;
          }
        });
  }

  private static int and(int a, int b) {
    int both = a == UNKNOWN ? b : b == UNKNOWN ? a : a == TRUE && b == TRUE ? TRUE : FALSE;
    return (a == UNKNOWN || b == UNKNOWN) && both == TRUE ? UNKNOWN : both;
  }

  private static int not(int outcomes) {
    return outcomes == UNKNOWN ? UNKNOWN : UNKNOWN - outcomes;
  }

  private Test ofText(Matcher matcher, Pipeline pipeline, boolean isBehindJson) {
    Predicate<String> test = pipeline.test(matcher);
    if (!withExpressions && Pipeline.isExpression(matcher)) {
      isWithout = true;
      return NONE;
    }
    if (matcher.name().equals(StreamLabels.DETECTED_LEVEL)) {
      return ofLevel(test);
    }
    return ofLabel(
        matcher.name(),
        isBehindJson,
        new ValueTest() {
          @Override
          public boolean holds(byte[] json, int from, int to) {
            return test.test(LineParts.scalar(json, from, to));
          }

          @Override
          public boolean holdsWithout() {
            return test.test("");
          }
        });
  }

  /**
   * Returns a test of the detected level. If no field contains the level, it depends on the line.
   */
  private Test ofLevel(Predicate<String> test) {
    if (dropped.contains(StreamLabels.DETECTED_LEVEL)) {
      return NONE;
    }
    LevelFields level = LevelFields.of(rules, fields);
    return (bytes, places) -> {
      String text = level.level(bytes, places);
      return text == null ? UNKNOWN : outcome(test.test(text));
    };
  }

  private Test ofLabel(String name, boolean mayBeParsed, ValueTest test) {
    boolean isOfType = name.equals(StreamLabels.SERVICE);
    if (isOfType || dropped.contains(name) || mayBeParsed && name.indexOf('_') >= 0) {
      return NONE;
    }
    int[] ofEvent = places(rules.allPaths(name)).toArray();
    int[] ofObject = places(rules.allPathsOfObject(name)).toArray();
    int parsed = mayBeParsed ? fields.add(name, List.of()) : -1;
    return (bytes, places) -> {
      boolean isObject = StreamLabels.isObject(object, bytes, places);
      for (int source : isObject ? ofObject : ofEvent) {
        if (isLabel(source, bytes, places)) {
          return outcome(source, test, bytes, places);
        }
      }
      if (parsed < 0) {
        return outcome(test.holdsWithout());
      }
      if (!isObject && !isPayload(bytes, places)) {
        return UNKNOWN;
      }
      return isLabel(parsed, bytes, places)
          ? outcome(parsed, test, bytes, places)
          : outcome(test.holdsWithout());
    };
  }

  /** Adds the fields to those that are found, and returns their places. */
  private IntStream places(List<String> paths) {
    return paths.stream().mapToInt(path -> fields.add(path, List.of()));
  }

  private static int outcome(int field, ValueTest test, byte[] bytes, int[] places) {
    return outcome(test.holds(bytes, places[2 * field], places[2 * field + 1]));
  }

  private static int outcome(boolean holds) {
    return holds ? TRUE : FALSE;
  }

  private static boolean isLabel(int field, byte[] bytes, int[] places) {
    int to = places[2 * field + 1];
    return to != 0 && LineParts.isLabel(bytes, places[2 * field], to);
  }

  /** Whether the line certainly is an object whose members are fields of the payload. */
  private boolean isJson(byte[] bytes, int[] places) {
    return StreamLabels.isObject(object, bytes, places) || isPayload(bytes, places);
  }

  /** Whether the line certainly is the payload. */
  private boolean isPayload(byte[] bytes, int[] places) {
    return !StreamLabels.isObject(labels, bytes, places) && places[2 * facility + 1] == 0;
  }

  /** Whether the label is removed before the end of the pipeline. */
  boolean drops(String name) {
    return dropped.contains(name);
  }

  /** Returns a filter for the store; null if it could not leave out any event. */
  @Nullable FieldFilter inStore() {
    if (tests.isEmpty()) {
      return texts.isEmpty() ? null : new TextFilter(texts);
    }
    return this;
  }

  boolean isEmpty() {
    return tests.isEmpty();
  }

  /** Whether an outcome other than {@link #UNKNOWN} is the outcome of the query. */
  boolean decides() {
    return decidesLabels && !hasLineFilters;
  }

  /**
   * Whether, after the outcome {@link #TRUE}, only line filters are left to test, on a line that no
   * stage has changed.
   */
  boolean decidesLabels() {
    return decidesLabels;
  }

  /** Whether regular expressions were left out that tests with expressions would include. */
  boolean isWithoutExpressions() {
    return isWithout;
  }

  @Override
  public int @Nullable [] find(byte[] payload, int from, int to) {
    return fields.find(payload, from, to);
  }

  @Override
  public boolean mayMatch(byte[] bytes, int[] places) {
    return (outcomes(bytes, places) & TRUE) != 0;
  }

  @Override
  public boolean surelyMatches(byte[] bytes, int[] places) {
    return decides()
        && (!readsLine || isJson(bytes, places))
        && (levelFields == null || levelFields.isTold(bytes, places))
        && outcomes(bytes, places) == TRUE;
  }

  @Override
  public double least(int field) {
    return least.getOrDefault(field, Double.NEGATIVE_INFINITY);
  }

  @Override
  public double greatest(int field) {
    return greatest.getOrDefault(field, Double.POSITIVE_INFINITY);
  }

  @Override
  public boolean isBounded(int[] places) {
    return others.stream().allMatch(field -> places[2 * field + 1] == 0);
  }

  /** Returns the outcomes for an event whose type passes the query. */
  int outcomes(byte[] bytes, int[] places) {
    int all = TRUE;
    for (int i = 0; i < tests.size() && all != FALSE; i++) {
      all = and(all, tests.get(i).outcomes(bytes, places));
    }
    return all;
  }

  @Override
  public List<List<FieldValue>> required() {
    return required;
  }

  @Override
  public List<List<ByteSearch>> texts() {
    return texts;
  }
}
