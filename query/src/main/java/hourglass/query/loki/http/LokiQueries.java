package hourglass.query.loki.http;

import hourglass.query.AnswerFacts;
import hourglass.query.Counted;
import hourglass.query.EventQuery;
import hourglass.query.Gaps;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.http.JsonParts.Part;
import hourglass.query.http.PreparedQuery.Work;
import hourglass.query.line.StreamLabels;
import hourglass.query.logql.LogSelector;
import hourglass.query.logql.Metric;
import hourglass.query.logql.Query;
import hourglass.query.loki.DetectedFields;
import hourglass.query.loki.LogFilter;
import hourglass.query.loki.LogStreams;
import hourglass.query.loki.Vector;
import hourglass.store.Order;
import io.vertx.ext.web.handler.HttpException;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Requests for lines, for samples of lines, and for the fields in lines. Immutable.
 *
 * @param rules which fields are labels
 */
record LokiQueries(StreamLabels rules) {
  private static final int FIELDS_DEFAULT = 1_000;

  Work queryRange(LokiRequest asked) {
    LokiParameters parameters = asked.parameters();
    Query query = parameters.query();
    return query instanceof LogSelector lines
        ? lines(asked, lines)
        : metric((Metric) query, parameters.times(), LokiAnswers::matrix);
  }

  Work query(LokiRequest asked) {
    Query query = asked.parameters().query();
    if (query instanceof LogSelector) {
      throw new HttpException(
          400,
          "log queries are not supported as an instant query type, please change your query to a"
              + " range query type");
    }
    Metric metric = (Metric) query;
    LokiMetrics.Times time = asked.parameters().time();
    if (LokiMetrics.isScalar(metric)) {
      return LokiWork.of(
          Selection.ALL,
          false,
          (on, thread) -> nothing(),
          known -> LokiAnswers.scalar(LokiMetrics.scalar(metric), time));
    }
    return metric(metric, time, LokiAnswers::vector);
  }

  private static Counted<List<String>> nothing() {
    return new Counted<>(List.of(), AnswerFacts.of(Gaps.NONE));
  }

  private Work lines(LokiRequest asked, LogSelector query) {
    LokiParameters parameters = asked.parameters();
    LogFilter filter = LogFilter.of(query, rules).forReader();
    Selection selection = new Selection(parameters.range(), filter);
    EventQuery events = new EventQuery(selection, parameters.order(), parameters.limit(), null);
    boolean categorizes = asked.categorizes();
    long apart = parameters.intervalTicks();
    return LokiWork.read(
        events,
        on -> new LogStreams(filter, categorizes, apart, on.gone(), on::reserve),
        counted -> LokiAnswers.streams(counted, categorizes));
  }

  private Work metric(
      Metric metric,
      LokiMetrics.Times times,
      BiFunction<Counted<Vector>, LokiMetrics.Times, Iterator<Part>> toParts) {
    Metric.Range range = LokiMetrics.rangeOf(metric);
    Selection estimate =
        range == null
            ? new Selection(new TreeSet<>(Set.of("-")), new TimeRange(0, 0), "")
            : new Selection(
                times.range(LokiMetrics.ticks(range)), LogFilter.of(range.lines(), rules));
    return LokiWork.of(
        estimate,
        !LokiMetrics.isOfHeaders(metric, rules),
        (on, thread) -> new LokiMetrics(on, thread, rules, times).run(metric),
        counted -> toParts.apply(counted, times));
  }

  // Fields.

  Work detectedFields(LokiRequest asked) {
    int limit = asked.parameters().number("limit", FIELDS_DEFAULT);
    return detected(
        asked,
        fields ->
            LokiAnswers.limited("fields", fields.value().write(limit), limit, fields.facts()));
  }

  Work detectedFieldValues(LokiRequest asked) {
    int limit = asked.parameters().number("limit", FIELDS_DEFAULT);
    return detected(
        asked,
        fields ->
            LokiAnswers.limited(
                "values",
                LokiAnswers.strings(fields.value().values(asked.name(), limit)),
                limit,
                fields.facts()));
  }

  /** Detects fields in the newest lines. */
  private Work detected(
      LokiRequest asked, Function<Counted<DetectedFields>, Iterator<Part>> toParts) {
    LogFilter filter = LogFilter.of(asked.parameters().selectorOrAll(), rules);
    Selection selection = new Selection(asked.parameters().range(), filter);
    int lines = asked.parameters().number("line_limit", FIELDS_DEFAULT);
    EventQuery events = new EventQuery(selection, Order.DESCENDING, lines, null);
    return LokiWork.read(events, on -> new DetectedFields(filter, on.gone(), on::reserve), toParts);
  }
}
