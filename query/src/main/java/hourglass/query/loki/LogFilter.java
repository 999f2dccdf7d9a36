package hourglass.query.loki;

import com.google.common.base.Suppliers;
import hourglass.query.BadParameterException;
import hourglass.query.ContentFilter;
import hourglass.query.filter.Condition;
import hourglass.query.filter.Condition.Known;
import hourglass.query.filter.Effort;
import hourglass.query.filter.EventParts;
import hourglass.query.filter.Outcomes;
import hourglass.query.line.StreamLabels;
import hourglass.query.logql.LogSelector;
import hourglass.query.logql.Matcher;
import hourglass.query.logql.Stage;
import hourglass.store.Columns;
import hourglass.store.FieldFilter;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A log query as a filter of events. Immutable. Its regular expressions are compiled when they are
 * first needed, since that takes time; do not use it first on an event loop.
 */
public final class LogFilter implements ContentFilter {
  private final LogSelector query;
  private final StreamLabels rules;
  private final Supplier<Compiled> compiled;
  private final boolean isJudgedLater;
  private final boolean isOfFields;

  /** A query that can be run. */
  private record Compiled(Pipeline pipeline, LogCondition condition, TextTests texts) {}

  /** Returns a filter of a query's lines; see {@link #check}. */
  public static LogFilter of(LogSelector query, StreamLabels rules) {
    return new LogFilter(query, rules, once(() -> compile(query, rules)), false, false);
  }

  /** Compiles when the result is first needed. The tests of constants count as work. */
  private static Supplier<Compiled> once(Supplier<Compiled> compile) {
    return Suppliers.memoize(() -> within(() -> false, () -> "the query", compile));
  }

  private static Compiled compile(LogSelector query, StreamLabels rules) {
    try {
      Compiled compiled = compile(query, rules, false);
      checkMatchers(query, compiled.texts);
      return compiled;
    } catch (BadParameterException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new BadParameterException("parse error: " + e.getMessage());
    }
  }

  private static Compiled compile(LogSelector query, StreamLabels rules, boolean tellsLevel) {
    TextTests texts = new TextTests();
    LogCondition condition = LogCondition.of(query, rules, texts, tellsLevel);
    return new Compiled(Pipeline.of(query.stages()), condition, texts);
  }

  private LogFilter(
      LogSelector query,
      StreamLabels rules,
      Supplier<Compiled> compiled,
      boolean isJudgedLater,
      boolean isOfFields) {
    this.query = query;
    this.rules = rules;
    this.compiled = compiled;
    this.isJudgedLater = isJudgedLater;
    this.isOfFields = isOfFields;
  }

  /**
   * Compiles the query. Other methods fail in the same way.
   *
   * @throws BadParameterException if a regular expression is invalid or too large, or if the
   *     matchers accept all lines
   */
  @Override
  public void check() {
    Compiled unused = compiled.get();
  }

  /** Compiles another filter of the same query, once that is checked. */
  private Supplier<Compiled> checked(Supplier<Compiled> compile) {
    return once(
        () -> {
          check();
          return compile.get();
        });
  }

  private LogCondition condition() {
    return compiled.get().condition;
  }

  /**
   * Refuses a query without a matcher that excludes an empty text, as Loki does: it is probably a
   * mistake.
   */
  private static void checkMatchers(LogSelector query, TextTests texts) {
    if (query.matchers().stream().anyMatch(one -> !texts.of(one).holds(""))) {
      return;
    }
    throw new BadParameterException(
        "parse error: queries require at least one matcher that does not match an empty text; to"
            + " take all lines, use {service_name=~\".+\"}");
  }

  /**
   * Returns a filter that also passes candidates, for a reader that runs the query on each event
   * itself. The store leaves out as many events as for this filter.
   */
  public LogFilter candidates() {
    return new LogFilter(query, rules, compiled, true, false);
  }

  /**
   * Returns candidates for a reader of fields. The fields decide only if they contain the labels of
   * the line as well: the members of its JSON and, if {@code tellsLevel}, the detected level.
   */
  LogFilter candidatesByFields(boolean tellsLevel) {
    Supplier<Compiled> telling = checked(() -> compile(query, rules, true));
    return new LogFilter(query, rules, tellsLevel ? telling : compiled, true, true);
  }

  /**
   * Returns a filter of candidates if most of them match, as for filters of texts, so that each
   * line is walked once. Expressions need more time; another thread should evaluate them ahead of
   * the reader.
   */
  public LogFilter forReader() {
    boolean isOfTexts = readsPayload() && query.stages().stream().allMatch(LogFilter::isText);
    return isOfTexts && matchesTypes() ? candidates() : this;
  }

  private static boolean isText(Stage stage) {
    return stage instanceof Stage.LineFilter filter
        && filter.operator() == Stage.LineFilter.Operator.CONTAINS;
  }

  @Override
  public boolean mayBeOf(String type) {
    return within(() -> false, () -> type, () -> condition().takesType(type));
  }

  @Override
  public boolean readsPayload() {
    return isOfFields || query.stages().stream().anyMatch(Stage::isFilter) || !matchesTypes();
  }

  private boolean matchesTypes() {
    return query.matchers().stream().allMatch(one -> one.name().equals(StreamLabels.SERVICE));
  }

  /** Whether the type alone decides which lines match, and stays one of their labels. */
  public boolean isOfTypes() {
    return query.stages().stream().noneMatch(one -> one.isFilter() || removesType(one))
        && matchesTypes();
  }

  private static boolean removesType(Stage stage) {
    return stage instanceof Stage.Select select
        && select.names().contains(StreamLabels.SERVICE) != select.keeps();
  }

  /** Returns a filter of all lines of the types that match, without the other conditions. */
  public LogFilter ofTypes() {
    List<Matcher> ofTypes =
        query.matchers().stream().filter(one -> one.name().equals(StreamLabels.SERVICE)).toList();
    LogSelector selector = new LogSelector(ofTypes, List.of());
    Supplier<Compiled> types = checked(() -> compile(selector, rules, false));
    return new LogFilter(selector, rules, types, false, false);
  }

  @Override
  public boolean takes(String type, Columns columns, int i, BooleanSupplier gone) {
    if (isJudgedLater) {
      return true;
    }
    LogCondition condition = condition();
    EventParts event = new EventParts(columns, i, type, condition.fields());
    Condition left = condition.left(event);
    return left == Known.TRUE
        || left != Known.FALSE && onLine(type, columns, i, gone, line -> holds(left, event, line));
  }

  private static boolean holds(Condition left, EventParts event, StagedLine line) {
    return left.outcomes(event.decideBy(line)) == Outcomes.TRUE;
  }

  @Override
  public @Nullable FieldFilter fields() {
    return condition().inStore();
  }

  @Override
  public @Nullable FieldFilter decidingFields() {
    return condition().deciding();
  }

  /** Whether the fields of most events decide, so that their payloads need not be read. */
  boolean decides() {
    return condition().deciding() != null;
  }

  /** Whether the query removes the label, or replaces it by another one of this name. */
  boolean drops(String name) {
    return condition().dropped().contains(name);
  }

  LogSelector query() {
    return query;
  }

  StreamLabels rules() {
    return rules;
  }

  /** Runs the query on an event, and a reader on its line. Returns null if the line is left out. */
  <T> @Nullable T run(
      String type,
      Columns columns,
      int i,
      BooleanSupplier gone,
      Function<LogLine, @Nullable T> reader) {
    LogCondition condition = condition();
    boolean readsFields = condition.hasExpressions(); // else the store has tested them
    EventParts event =
        readsFields ? new EventParts(columns, i, type, condition.fields()) : EventParts.ofView();
    Condition left = readsFields ? condition.left(event) : condition.all();
    return left == Known.FALSE
        ? null
        : onLine(
            type,
            columns,
            i,
            gone,
            line -> holds(left, event, line) ? reader.apply(line.end()) : null);
  }

  /**
   * Reads the line of an event that the filter passes. Returns false if the query leaves it out.
   */
  boolean read(
      String type, Columns columns, int i, BooleanSupplier gone, Consumer<LogLine> reader) {
    Function<LogLine, Boolean> accept =
        line -> {
          reader.accept(line);
          return true;
        };
    return isJudgedLater
        ? run(type, columns, i, gone, accept) != null
        : onLine(type, columns, i, gone, line -> accept.apply(line.end()));
  }

  private <T extends @Nullable Object> T onLine(
      String type, Columns columns, int i, BooleanSupplier gone, Function<StagedLine, T> work) {
    return within(
        gone,
        () -> "event " + columns.id(i),
        () -> work.apply(new StagedLine(compiled.get().pipeline, rules, type, columns, i)));
  }

  private static <T extends @Nullable Object> T within(
      BooleanSupplier gone, Supplier<String> what, Supplier<T> work) {
    return Effort.within(
        gone,
        Map.of(),
        () -> {
          try {
            return work.get();
          } catch (Effort.ExceededError e) {
            throw new BadParameterException("query: for " + what.get() + " it " + e.getMessage());
          }
        });
  }

  @Override
  public String toString() {
    return query.toString();
  }
}
