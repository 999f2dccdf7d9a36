package hourglass.query.loki;

import hourglass.bytes.ByteSearch;
import hourglass.query.filter.Comparison;
import hourglass.query.filter.Effort;
import hourglass.query.filter.Regexes;
import hourglass.query.filter.TextTest;
import hourglass.query.logql.Matcher;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The tests of the texts of one query: those of its labels and of its lines. Its regular
 * expressions share one limit. Used by one thread.
 */
final class TextTests {
  /** The number of bytes that are compared in one step where a text almost matches. */
  private static final int BYTES_A_STEP = 64;

  /** The characters with a meaning in regular expressions. */
  private static final String SIGNS = "\\^$.*+?()[]{}|";

  private final Regexes.Allowance regexes = new Regexes.Allowance();
  private final Map<Matcher, TextTest> tests = new HashMap<>();

  /**
   * Returns the test of a label's text, which is empty if the label is absent. Throws
   * IllegalArgumentException if a regular expression is invalid or too large.
   */
  TextTest of(Matcher matcher) {
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
  private static @Nullable Set<String> texts(String regex) {
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

  /** Returns the test that a part of a line matches an expression. */
  Predicate<LogLine> matches(String regex) {
    Predicate<String> search = regexes.search(regex);
    return line -> search.test(line.text());
  }

  /** Returns the test that a line contains a text. */
  static Predicate<LogLine> contains(String text) {
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
}
