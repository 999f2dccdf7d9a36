package hourglass.query.loki;

import hourglass.bytes.ByteSearch;
import hourglass.query.filter.Comparison;
import hourglass.query.filter.Effort;
import hourglass.query.filter.Regexes;
import hourglass.query.filter.TextTest;
import hourglass.query.line.StreamLabels;
import hourglass.query.logql.LabelTest;
import hourglass.query.logql.LogSelector;
import hourglass.query.logql.Matcher;
import hourglass.query.logql.Stage;
import hourglass.query.logql.Stage.LineFilter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A log query as it is run on one line. Immutable once its tests exist. */
final class Pipeline {
  /** The number of bytes that are compared in one step where a text almost matches. */
  private static final int BYTES_A_STEP = 64;

  /** The characters with a meaning in regular expressions. */
  private static final String SIGNS = "\\^$.*+?()[]{}|";

  private final List<Predicate<LogLine>> steps = new ArrayList<>();

  /** The steps that change a line; these leave no line out. */
  private final List<Predicate<LogLine>> changes = new ArrayList<>();

  private final List<Predicate<LogLine>> lineFilters = new ArrayList<>();

  private final Regexes.Allowance regexes = new Regexes.Allowance();
  private final Map<Matcher, TextTest> tests = new HashMap<>();
  private final List<TextTest> types = new ArrayList<>();

  /** Throws IllegalArgumentException if a regular expression is invalid or too large. */
  Pipeline(LogSelector query) {
    for (Matcher matcher : query.matchers()) {
      TextTest test = test(matcher);
      if (matcher.name().equals(StreamLabels.SERVICE)) {
        types.add(test);
      } else {
        steps.add(ofLabel(matcher));
      }
    }
    for (Stage stage : query.stages()) {
      Predicate<LogLine> step = step(stage);
      steps.add(step);
      if (!LogCondition.mayLeaveOut(stage)) {
        changes.add(step);
      } else if (stage instanceof LineFilter) {
        lineFilters.add(step);
      }
    }
  }

  /** Whether a type passes its matchers. */
  boolean takesType(String type) {
    return types.stream().allMatch(test -> test.holds(type));
  }

  /** Runs the stages on a line whose type passes. Returns false if the line is left out. */
  boolean takes(LogLine line) {
    return all(steps, line);
  }

  /** Runs the stages that change a line, if the line is known to pass. */
  void change(LogLine line) {
    boolean unused = all(changes, line);
  }

  boolean hasLineFilters() {
    return !lineFilters.isEmpty();
  }

  /** Whether a line that no stage changes passes the line filters. */
  boolean takesText(LogLine line) {
    return all(lineFilters, line);
  }

  private static boolean all(List<Predicate<LogLine>> steps, LogLine line) {
    for (Predicate<LogLine> step : steps) {
      if (!step.test(line)) {
        return false;
      }
    }
    return true;
  }

  private Predicate<LogLine> ofLabel(Matcher matcher) {
    TextTest test = test(matcher);
    return line -> test.holds(Objects.requireNonNullElse(line.label(matcher.name()), ""));
  }

  /** Returns the test of a label's text, which is empty if the label is absent. */
  TextTest test(Matcher matcher) {
    return tests.computeIfAbsent(matcher, this::compiled);
  }

  private TextTest compiled(Matcher matcher) {
    String value = matcher.value();
    boolean isRegex = matcher.operator().isRegex();
    boolean isNegative = matcher.operator().isNegative();
    if (!isRegex && TextTest.isPlain(value)) {
      return TextTest.of(isNegative ? Comparison.UNEQUAL : Comparison.EQUAL, value);
    }
    Predicate<String> test = isRegex ? whole(value) : value::equals;
    return new TextTest.Decoded(isNegative ? test.negate() : test);
  }

  /**
   * Returns a test of whole texts. A list of texts, such as Grafana derives from a variable, is not
   * compiled as an expression, since it may be long.
   */
  private Predicate<String> whole(String regex) {
    Set<String> texts = texts(regex);
    return texts == null ? regexes.whole(regex) : texts::contains;
  }

  /** Whether a matcher contains an expression that is more than a list of texts. */
  static boolean isExpression(Matcher matcher) {
    return matcher.operator().isRegex() && texts(matcher.value()) == null;
  }

  /**
   * Returns the texts that an expression such as {@code a|b\\.c} matches; null if it is not a list
   * of texts.
   */
  static @Nullable Set<String> texts(String regex) {
    Set<String> texts = new HashSet<>();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < regex.length(); i++) {
      char c = regex.charAt(i);
      if (c == '|') {
        texts.add(text.toString());
        text.setLength(0);
      } else if (c == '\\' && i + 1 < regex.length() && isSign(regex.charAt(i + 1))) {
        text.append(regex.charAt(++i));
      } else if (isSign(c)) {
        return null;
      } else {
        text.append(c);
      }
    }
    texts.add(text.toString());
    return texts;
  }

  private static boolean isSign(char c) {
    return SIGNS.indexOf(c) >= 0;
  }

  private Predicate<LogLine> step(Stage stage) {
    if (stage instanceof LineFilter filter) {
      return lineFilter(filter);
    }
    if (stage instanceof Stage.LabelFilter filter) {
      return labelTest(filter.test());
    }
    if (stage instanceof Stage.Json) {
      return does(LineParsers::json);
    }
    if (stage instanceof Stage.Logfmt) {
      return does(LineParsers::logfmt);
    }
    if (stage instanceof Stage.LineFormat format) {
      return does(line -> line.replace(format(format.parts(), line)));
    }
    Stage.Select select = (Stage.Select) stage;
    Set<String> names = Set.copyOf(select.names());
    return does(line -> line.select(select.keeps(), names));
  }

  private static Predicate<LogLine> does(Consumer<LogLine> change) {
    return line -> {
      change.accept(line);
      return true;
    };
  }

  /**
   * Formats a line. Its length counts, since each stage could make a longer text from that of the
   * stage before.
   */
  private static String format(List<String> parts, LogLine line) {
    Effort effort = Effort.current();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < parts.size(); i++) {
      boolean isName = i % 2 == 1;
      String part =
          isName ? Objects.requireNonNullElse(line.label(parts.get(i)), "") : parts.get(i);
      effort.make(part.length());
      text.append(part);
    }
    return text.toString();
  }

  private Predicate<LogLine> lineFilter(LineFilter filter) {
    Predicate<LogLine> any = line -> false;
    for (String text : filter.texts()) {
      any = any.or(filter.operator().isRegex() ? matches(text) : contains(text));
    }
    return filter.operator().isNegative() ? any.negate() : any;
  }

  private Predicate<LogLine> matches(String text) {
    Predicate<String> search = regexes.search(text);
    return line -> search.test(line.text());
  }

  private static Predicate<LogLine> contains(String text) {
    if (text.isEmpty()) {
      return line -> true;
    }
    ByteSearch search = new ByteSearch(text.getBytes(StandardCharsets.UTF_8), false);
    boolean hasBlank = text.indexOf(' ') >= 0;
    int stepsAByte = 1 + text.length() / BYTES_A_STEP;
    return line -> {
      Effort.current().spend((long) line.size() * stepsAByte);
      if (!line.isPlain()) {
        return line.text().contains(text);
      }
      return search.find(line.bytes(), line.plainFrom(), line.plainTo()) >= 0
          ? !line.isPayload() || text.indexOf('\n') < 0 && text.indexOf('\r') < 0
          : hasBlank && line.hasBreaks() && line.text().contains(text);
    };
  }

  private Predicate<LogLine> labelTest(LabelTest test) {
    if (test instanceof LabelTest.And and) {
      return labelTest(and.a()).and(labelTest(and.b()));
    }
    if (test instanceof LabelTest.Or or) {
      return labelTest(or.a()).or(labelTest(or.b()));
    }
    if (test instanceof LabelTest.OfText text) {
      return ofLabel(text.matcher());
    }
    LabelTest.OfNumber number = (LabelTest.OfNumber) test;
    return line -> number.holds(line.label(number.name()));
  }
}
