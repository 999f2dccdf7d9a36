package hourglass.query.logql;

import hourglass.query.filter.Comparison;
import hourglass.query.logql.LabelTest.Unit;
import hourglass.query.logql.Stage.LineFilter;
import hourglass.query.logql.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses matchers and pipelines. */
final class SelectorParser {
  private static final Map<String, Matcher.Operator> MATCHERS =
      Map.of(
          "=", Matcher.Operator.EQUAL,
          "==", Matcher.Operator.EQUAL,
          "!=", Matcher.Operator.UNEQUAL,
          "=~", Matcher.Operator.MATCHES,
          "!~", Matcher.Operator.MATCHES_NOT);

  private static final Map<String, LineFilter.Operator> LINE_FILTERS =
      Map.of(
          "|=", LineFilter.Operator.CONTAINS,
          "!=", LineFilter.Operator.CONTAINS_NOT,
          "|~", LineFilter.Operator.MATCHES,
          "!~", LineFilter.Operator.MATCHES_NOT);

  private static final Map<String, Comparison> COMPARISONS =
      Map.of(
          "=", Comparison.EQUAL,
          "==", Comparison.EQUAL,
          "!=", Comparison.UNEQUAL,
          ">", Comparison.GREATER,
          ">=", Comparison.AT_LEAST,
          "<", Comparison.LESS,
          "<=", Comparison.AT_MOST);

  /** The stages of Loki that are not supported. */
  private static final Set<String> REFUSED =
      Set.of("pattern", "regexp", "unpack", "label_format", "decolorize", "distinct");

  private static final String STAGES =
      "json, logfmt, line_format, drop, keep, unwrap or a label filter";

  private final Tokens tokens;

  SelectorParser(Tokens tokens) {
    this.tokens = tokens;
  }

  LogSelector selector() {
    return new LogSelector(matchers(), stages());
  }

  List<Matcher> matchers() {
    tokens.expect("{");
    List<Matcher> matchers = new ArrayList<>();
    while (!tokens.takes("}")) {
      String name = tokens.expectName("the name of a label");
      Matcher.Operator operator = MATCHERS.get(tokens.peek().text());
      if (operator == null || tokens.peek().is("==") || tokens.peek().kind() != Kind.SIGN) {
        throw tokens.unexpected("want =, !=, =~ or !~");
      }
      tokens.take();
      matchers.add(new Matcher(name, operator, tokens.expectString("a string")));
      tokens.checkParts(matchers.size(), "matchers");
      if (!tokens.takes(",") && !tokens.peek().is("}")) {
        throw tokens.unexpected("want , or }");
      }
    }
    return matchers;
  }

  /** Reads the stages, up to {@code | unwrap}. */
  List<Stage> stages() {
    List<Stage> stages = new ArrayList<>();
    for (Stage stage = stage(); stage != null; stage = stage()) {
      stages.add(stage);
      tokens.checkParts(stages.size(), "stages");
    }
    return stages;
  }

  private boolean isAtUnwrap;

  /** Whether the stages end at an unwrap, whose {@code |} is read already. */
  boolean isAtUnwrap() {
    return isAtUnwrap;
  }

  private @Nullable Stage stage() {
    Token first = tokens.peek();
    LineFilter.Operator lines = first.kind() == Kind.SIGN ? LINE_FILTERS.get(first.text()) : null;
    if (lines != null) {
      tokens.take();
      return new LineFilter(lines, texts());
    }
    if (first.is("|>") || first.is("!>")) {
      throw tokens.refused(first, "pattern filters such as " + first.text() + " are not supported");
    }
    if (!tokens.takes("|")) {
      return null;
    }
    Token name = tokens.peek();
    if (name.kind() == Kind.NAME) {
      switch (name.text()) {
        case "json", "logfmt" -> {
          tokens.take();
          if (isFollowedByArguments()) {
            throw tokens.refused(
                tokens.peek(), "parameters of " + name.text() + " are not supported");
          }
          return name.text().equals("json") ? new Stage.Json() : new Stage.Logfmt();
        }
        case "line_format" -> {
          tokens.take();
          return lineFormat();
        }
        case "drop", "keep" -> {
          tokens.take();
          return select(name.text().equals("keep"));
        }
        case "unwrap" -> {
          isAtUnwrap = true;
          return null;
        }
        default -> {
          if (REFUSED.contains(name.text())) {
            throw tokens.refused(
                name, "the stage " + name.text() + " is not supported; want " + STAGES);
          }
        }
      }
    }
    return new Stage.LabelFilter(anyOf());
  }

  private boolean isFollowedByArguments() {
    Token next = tokens.peek();
    return next.kind() == Kind.NAME || next.kind() == Kind.STRING || next.is("-");
  }

  private List<String> texts() {
    List<String> texts = new ArrayList<>();
    do {
      if (tokens.peek().isName("ip")) {
        throw tokens.refused(tokens.peek(), "the function ip is not supported");
      }
      texts.add(tokens.expectString("a string"));
      tokens.checkParts(texts.size(), "strings");
    } while (tokens.takesName("or"));
    return texts;
  }

  private Stage select(boolean keeps) {
    List<String> names = tokens.names("the name of a label");
    if (MATCHERS.containsKey(tokens.peek().text()) && tokens.peek().kind() == Kind.SIGN) {
      throw tokens.refused(tokens.peek(), "drop and keep with a value are not supported");
    }
    return new Stage.Select(keeps, names);
  }

  /** Reads a format, which consists of texts, and names in {@code {{.name}}}. */
  private Stage lineFormat() {
    Token at = tokens.peek();
    String template = tokens.expectString("a string");
    List<String> parts = new ArrayList<>();
    int from = 0;
    for (int open = template.indexOf("{{"); open >= 0; open = template.indexOf("{{", from)) {
      int close = template.indexOf("}}", open);
      String name = close < 0 ? "" : template.substring(open + 2, close).strip();
      if (!name.matches("\\.[a-zA-Z_][a-zA-Z0-9_]*")) {
        throw tokens.refused(
            at, "line_format takes texts and labels such as {{.level}}, and no functions");
      }
      parts.add(template.substring(from, open));
      parts.add(name.substring(1));
      tokens.checkParts(parts.size(), "parts of a line");
      from = close + 2;
    }
    parts.add(template.substring(from));
    return new Stage.LineFormat(parts, template);
  }

  private LabelTest anyOf() {
    LabelTest test = allOf();
    int count = 1;
    while (tokens.takesName("or")) {
      tokens.checkParts(++count, "tests");
      test = new LabelTest.Or(test, allOf());
    }
    return test;
  }

  private LabelTest allOf() {
    LabelTest test = one();
    int count = 1;
    while (tokens.peek().kind() != Kind.END && isAnd()) {
      tokens.checkParts(++count, "tests");
      test = new LabelTest.And(test, one());
    }
    return test;
  }

  /**
   * Reads a sign or word that joins two tests, both of which must hold. Tests next to each other
   * are joined, too.
   */
  private boolean isAnd() {
    return tokens.takesName("and")
        || tokens.takes(",")
        || tokens.peek().kind() == Kind.NAME && !tokens.peek().isName("or");
  }

  private LabelTest one() {
    if (tokens.takes("(")) {
      tokens.enter();
      LabelTest test = anyOf();
      tokens.leave();
      tokens.expect(")");
      return test;
    }
    String name = tokens.expectName("a stage: " + STAGES);
    Token operator = tokens.take();
    boolean isSign = operator.kind() == Kind.SIGN;
    Token value = tokens.peek();
    Matcher.Operator ofText = isSign ? MATCHERS.get(operator.text()) : null;
    if (ofText != null && value.kind() == Kind.STRING) {
      return new LabelTest.OfText(new Matcher(name, ofText, tokens.take().text()));
    }
    Comparison comparison = isSign ? COMPARISONS.get(operator.text()) : null;
    if (comparison == null && ofText == null) {
      throw tokens.refused(
          operator,
          "unexpected %s behind %s; want a comparison such as =, =~, > or <="
              .formatted(operator.shown(), name));
    }
    if (value.isName("ip")) {
      throw tokens.refused(value, "the function ip is not supported");
    }
    boolean isMinus = tokens.takes("-");
    if (comparison == null || tokens.peek().kind() != Kind.NUMBER) {
      throw tokens.unexpected(
          comparison == null ? "want a string" : "want a number, a duration or a size");
    }
    return number(name, comparison, isMinus);
  }

  private LabelTest number(String name, Comparison comparison, boolean isMinus) {
    Token token = tokens.take();
    String written = token.text();
    Double number = Quantities.number(written);
    Unit unit = Unit.NUMBER;
    if (number == null) {
      number = Quantities.nanos(written);
      unit = Unit.DURATION;
    }
    if (number == null) {
      number = Quantities.bytes(written);
      unit = Unit.BYTES;
    }
    if (number == null) {
      throw tokens.refused(token, token.shown() + " is no number, duration or size");
    }
    return new LabelTest.OfNumber(
        name, comparison, unit, isMinus ? -number : number, (isMinus ? "-" : "") + written);
  }
}
