package hourglass.query.logql;

import hourglass.query.logql.LabelTest.Unit;
import hourglass.query.logql.Metric.Aggregate;
import hourglass.query.logql.Metric.Aggregation;
import hourglass.query.logql.Metric.Binary;
import hourglass.query.logql.Metric.Constant;
import hourglass.query.logql.Metric.Grouping;
import hourglass.query.logql.Metric.Range;
import hourglass.query.logql.Metric.RangeFunction;
import hourglass.query.logql.Metric.Unwrap;
import hourglass.query.logql.Token.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Parses queries for samples. */
final class MetricParser {
  private static final long NANOS_PER_MILLI = 1_000_000;

  private static final double YEAR_NANOS = 31_536_000e9;

  /** The most series of a ranking. */
  private static final int K_MAX = 1_000;

  private static final Map<String, RangeFunction> FUNCTIONS =
      Arrays.stream(RangeFunction.values())
          .collect(Collectors.toMap(RangeFunction::text, Function.identity()));

  private static final Map<String, Aggregation> AGGREGATIONS =
      Arrays.stream(Aggregation.values())
          .collect(Collectors.toMap(Aggregation::text, Function.identity()));

  private static final Map<String, Binary.Operator> OPERATORS =
      Map.of(
          "+", Binary.Operator.PLUS,
          "-", Binary.Operator.MINUS,
          "*", Binary.Operator.TIMES,
          "/", Binary.Operator.OVER,
          "%", Binary.Operator.MODULO,
          "^", Binary.Operator.POWER);

  /** The operators by their strength, the weakest first. */
  private static final List<Set<String>> LEVELS =
      List.of(Set.of("+", "-"), Set.of("*", "/", "%"), Set.of("^"));

  private static final Set<String> REFUSED_SIGNS = Set.of("==", "!=", ">", ">=", "<", "<=");

  private static final Set<String> REFUSED_NAMES = Set.of("and", "or", "unless", "offset", "bool");

  private final Tokens tokens;

  MetricParser(Tokens tokens) {
    this.tokens = tokens;
  }

  Metric metric() {
    tokens.enter();
    Metric metric = binary(0);
    Token next = tokens.peek();
    boolean isRefused =
        next.kind() == Kind.SIGN && REFUSED_SIGNS.contains(next.text())
            || next.kind() == Kind.NAME && REFUSED_NAMES.contains(next.text());
    if (isRefused) {
      throw tokens.refused(next, next.shown() + " behind a metric query is not supported");
    }
    tokens.leave();
    return metric;
  }

  private Metric binary(int level) {
    if (level == LEVELS.size()) {
      return primary();
    }
    Metric a = binary(level + 1);
    int count = 1;
    while (isOperator(level)) {
      Token sign = tokens.take();
      tokens.checkParts(++count, "operands");
      // A power of a power is evaluated from its right.
      boolean isPower = sign.is("^");
      tokens.enter();
      Metric b = binary(isPower ? level : level + 1);
      tokens.leave();
      Binary.Operator operator = OPERATORS.get(sign.text());
      if (operator == null || !isConstant(a) && !isConstant(b)) {
        throw tokens.refused(
            sign, "arithmetic of two metric queries is not supported; want a number on one side");
      }
      a = new Binary(operator, a, b);
    }
    return a;
  }

  private boolean isOperator(int level) {
    Token next = tokens.peek();
    return next.kind() == Kind.SIGN && LEVELS.get(level).contains(next.text());
  }

  private static boolean isConstant(Metric metric) {
    return metric instanceof Constant
        || metric instanceof Binary of && isConstant(of.a()) && isConstant(of.b());
  }

  private Metric primary() {
    Token first = tokens.peek();
    if (first.is("(")) {
      tokens.take();
      Metric inner = metric();
      tokens.expect(")");
      return inner;
    }
    if (first.is("-") || first.is("+") || first.kind() == Kind.NUMBER) {
      return new Constant(number(), false);
    }
    if (first.kind() != Kind.NAME) {
      throw tokens.unexpected("want {, a number, or a function such as count_over_time");
    }
    RangeFunction function = FUNCTIONS.get(first.text());
    if (function != null) {
      tokens.take();
      return range(function);
    }
    Aggregation aggregation = AGGREGATIONS.get(first.text());
    if (aggregation != null) {
      tokens.take();
      return aggregate(aggregation);
    }
    if (first.isName("vector")) {
      tokens.take();
      tokens.expect("(");
      Constant vector = new Constant(number(), true);
      tokens.expect(")");
      return vector;
    }
    throw tokens.refused(first, "the function " + first.text() + " is not supported");
  }

  private double number() {
    boolean isMinus = tokens.takes("-");
    if (!isMinus) {
      tokens.takes("+");
    }
    Token token = tokens.peek();
    Double number = token.kind() == Kind.NUMBER ? Quantities.number(token.text()) : null;
    if (number == null) {
      throw tokens.unexpected("want a number");
    }
    tokens.take();
    return isMinus ? -number : number;
  }

  private Metric aggregate(Aggregation aggregation) {
    Grouping grouping = grouping();
    tokens.expect("(");
    int k = 0;
    if (aggregation.isRanking()) {
      Token at = tokens.peek();
      double number = number();
      if (number != Math.rint(number) || number < 1 || number > K_MAX) {
        throw tokens.refused(at, aggregation.text() + " wants a number from 1 to " + K_MAX);
      }
      k = (int) number;
      tokens.expect(",");
    }
    Token inner = tokens.peek();
    Metric of = metric();
    if (isConstant(of)) {
      throw tokens.refused(inner, aggregation.text() + " of a constant is not supported");
    }
    tokens.expect(")");
    return new Aggregate(aggregation, k, of, grouping == null ? grouping() : grouping);
  }

  private @Nullable Grouping grouping() {
    boolean without = tokens.peek().isName("without");
    if (!without && !tokens.peek().isName("by")) {
      return null;
    }
    tokens.take();
    tokens.expect("(");
    List<String> names = new ArrayList<>();
    if (!tokens.peek().is(")")) {
      names.addAll(tokens.names("the name of a label"));
    }
    tokens.expect(")");
    return new Grouping(without, names);
  }

  private Metric range(RangeFunction function) {
    tokens.expect("(");
    double quantile = 0;
    if (function == RangeFunction.QUANTILE_OVER_TIME) {
      Token at = tokens.peek();
      quantile = number();
      if (!(quantile >= 0 && quantile <= 1)) {
        throw tokens.refused(at, "want a quantile from 0 to 1");
      }
      tokens.expect(",");
    }
    if (!tokens.peek().is("{")) {
      throw tokens.unexpected("want a log query such as {service_name=\"shop\"}");
    }
    SelectorParser parser = new SelectorParser(tokens);
    List<Matcher> matchers = parser.matchers();
    Token range = tokens.peek();
    boolean isRangeFirst = range.is("[");
    long nanos = isRangeFirst ? rangeNanos() : 0;
    String written = isRangeFirst ? lastRange : "";
    List<Stage> stages = parser.stages();
    Unwrap unwrap = parser.isAtUnwrap() ? unwrap(function) : null;
    if (unwrap != null) {
      stages.addAll(filtersBehindUnwrap());
    }
    if (!isRangeFirst) {
      nanos = rangeNanos();
      written = lastRange;
    }
    if (tokens.peek().isName("offset")) {
      throw tokens.refused(tokens.peek(), "offset is not supported");
    }
    if (unwrap == null && function.isOfNumbers()) {
      throw tokens.unexpected(
          function.text() + " wants the number of a label: | unwrap label before the range");
    }
    tokens.expect(")");
    Token by = tokens.peek();
    Grouping grouping = grouping();
    if (grouping != null && !function.allowsGrouping()) {
      throw tokens.refused(
          by, by.text() + " behind " + function.text() + " is not supported; want it behind sum");
    }
    LogSelector lines = new LogSelector(matchers, stages);
    return new Range(function, quantile, lines, unwrap, nanos, written, grouping);
  }

  private String lastRange = "";

  private long rangeNanos() {
    if (!tokens.takes("[")) {
      throw tokens.unexpected("want a range such as [5m]");
    }
    Token token = tokens.take();
    Double nanos = token.kind() == Kind.NUMBER ? Quantities.nanos(token.text()) : null;
    if (nanos == null || nanos < NANOS_PER_MILLI || nanos > YEAR_NANOS) {
      throw tokens.refused(
          token, "%s is no range; want 1ms to 1y, such as [5m]".formatted(token.shown()));
    }
    if (nanos % NANOS_PER_MILLI != 0) {
      throw tokens.refused(token, "want a range of whole milliseconds");
    }
    tokens.expect("]");
    lastRange = token.text();
    return nanos.longValue();
  }

  private Unwrap unwrap(RangeFunction function) {
    Token at = tokens.take();
    if (!function.allowsUnwrap()) {
      throw tokens.refused(at, function.text() + " takes no unwrap");
    }
    Token name = tokens.peek();
    String text = tokens.expectName("the name of a label");
    Unit unit = Unit.NUMBER;
    if (tokens.takes("(")) {
      unit =
          switch (text) {
            case "duration", "duration_seconds" -> Unit.DURATION;
            case "bytes" -> Unit.BYTES;
            default -> throw tokens.refused(name, "the conversion " + text + " is not supported");
          };
      text = tokens.expectName("the name of a label");
      tokens.expect(")");
    }
    return new Unwrap(text, unit);
  }

  /**
   * Reads label filters after unwrap, such as {@code | __error__=""}. They belong to the pipeline,
   * since unwrap adds no label.
   */
  private List<Stage> filtersBehindUnwrap() {
    SelectorParser parser = new SelectorParser(tokens);
    Token first = tokens.peek();
    List<Stage> stages = parser.stages();
    if (parser.isAtUnwrap() || !stages.stream().allMatch(Stage.LabelFilter.class::isInstance)) {
      throw tokens.refused(
          first, "stages behind unwrap other than label filters are not supported");
    }
    return stages;
  }
}
