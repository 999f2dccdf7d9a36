package hourglass.query.loki.http;

import com.google.common.base.Suppliers;
import hourglass.bytes.JsonText;
import hourglass.http.SmallBodies;
import hourglass.query.AnswerFacts;
import hourglass.query.Counted;
import hourglass.query.EventQuery;
import hourglass.query.EventTaker;
import hourglass.query.Fields;
import hourglass.query.FieldsQuery;
import hourglass.query.Grouped;
import hourglass.query.Grouping;
import hourglass.query.Hits;
import hourglass.query.HitsQuery;
import hourglass.query.SampleReader;
import hourglass.query.Samples.Figure;
import hourglass.query.Selection;
import hourglass.query.TimeRange;
import hourglass.query.TypeCount;
import hourglass.query.fair.Places.Size;
import hourglass.query.http.AnswerHead;
import hourglass.query.http.BodyCoding;
import hourglass.query.http.Endpoint;
import hourglass.query.http.Failure;
import hourglass.query.http.JsonParts.Part;
import hourglass.query.http.PartsStream;
import hourglass.query.http.PreparedQuery;
import hourglass.query.http.PreparedQuery.Work;
import hourglass.query.http.QueryRunner;
import hourglass.query.http.TailRoutes;
import hourglass.query.line.StreamLabels;
import hourglass.query.logql.LogSelector;
import hourglass.query.logql.Metric;
import hourglass.query.logql.Metric.RangeFunction;
import hourglass.query.logql.Query;
import hourglass.query.loki.DetectedFields;
import hourglass.query.loki.Labels;
import hourglass.query.loki.LineSampler;
import hourglass.query.loki.LogFilter;
import hourglass.query.loki.LogStreams;
import hourglass.query.loki.StreamReader;
import hourglass.query.loki.Vector;
import hourglass.query.loki.Vector.Series;
import hourglass.query.service.QueryService;
import hourglass.store.Order;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The read side of Loki's HTTP API, for Grafana and logcli. A refusal is a line of text.
 * Thread-safe.
 *
 * <p>Source: "Query endpoints" of Loki's HTTP API, and the requests of its clients.
 */
public final class LokiRoutes {
  /** The start of all paths. */
  private static final String PREFIX = "/loki/api/v1/";

  private static final String ENCODING = "X-Loki-Response-Encoding-Flags";
  private static final String CATEGORIZE = "categorize-labels";

  /** The build information, from which clients derive the available requests. */
  private static final String BUILD =
      "{\"version\":\"3.0.0\",\"revision\":\"\",\"branch\":\"\",\"buildUser\":\"\","
          + "\"buildDate\":\"\",\"goVersion\":\"\"}";

  private static final int FIELDS_DEFAULT = 1_000;

  private final QueryRunner runner;
  private final LokiForms forms;
  private final StreamLabels rules;
  private final Clock clock;
  private final LokiTail tail;

  /**
   * Creates the routes.
   *
   * @param queries runs queries, in the places of the other API
   * @param tails begins tails, in the places of the other API
   * @param rules which fields are labels
   * @param clock states the time of a request
   */
  public LokiRoutes(QueryRunner queries, TailRoutes tails, StreamLabels rules, Clock clock) {
    this.runner = queries;
    this.forms = new LokiForms(new SmallBodies(), queries.clients());
    this.rules = rules;
    this.clock = clock;
    this.tail = new LokiTail(tails, queries, rules, clock);
  }

  /** Returns an endpoint of Loki's API, which may have any parameters. */
  static Endpoint endpoint(String path) {
    String tag = "loki_" + path.replace("{name}/", "").replace('/', '_');
    return new Endpoint(PREFIX + path, tag, Set.of());
  }

  public void mount(Router router) {
    tail.mount(router);
    route(router, "query_range", this::queryRange);
    route(router, "query", this::query);
    route(router, "labels", this::labels);
    route(router, "label", this::labels);
    route(router, "label/{name}/values", this::labelValues);
    route(router, "series", this::series);
    route(router, "index/stats", this::stats);
    route(router, "index/volume", this::volume);
    route(router, "index/volume_range", this::volumeRange);
    route(router, "detected_labels", this::detectedLabels);
    route(router, "detected_fields", this::detectedFields);
    route(router, "detected_field/{name}/values", this::detectedFieldValues);
    constant(router, "patterns", "{\"status\":\"success\",\"data\":[]}");
    constant(router, "status/buildinfo", BUILD);
    format(router);
  }

  /**
   * One request.
   *
   * @param name the name in its path
   * @param categorizes whether each line states its structured metadata and parsed labels
   *     separately
   */
  private record Asked(LokiParameters parameters, String name, boolean categorizes) {
    static Asked of(RoutingContext ctx, LokiParameters parameters) {
      String flags = ctx.request().getHeader(ENCODING);
      return new Asked(
          parameters,
          String.valueOf(ctx.pathParam("name")),
          flags != null && flags.contains(CATEGORIZE));
    }
  }

  /** Adds a request. Its query is parsed in its place, since that may take some milliseconds. */
  private void route(Router router, String path, Function<Asked, Work> parse) {
    Endpoint endpoint = endpoint(path);
    mount(
        router,
        endpoint,
        (ctx, parameters) -> {
          AnswerHead head = AnswerHead.ofJson(BodyCoding.of(ctx.request().headers()));
          Asked asked = Asked.of(ctx, parameters);
          Supplier<Work> work = Suppliers.memoize(() -> parse.apply(asked));
          runner.answer(ctx, endpoint, new PreparedQuery(Size.UNKNOWN, head, true, work));
        });
  }

  /** Adds a constant answer, which does not depend on the parameters; a form is not read. */
  private static void constant(Router router, String path, String answer) {
    router
        .route(endpoint(path).path())
        .method(HttpMethod.GET)
        .method(HttpMethod.HEAD)
        .method(HttpMethod.POST)
        .handler(ctx -> answer(ctx, answer));
  }

  private static void answer(RoutingContext ctx, String json) {
    HttpServerResponse response = ctx.response().putHeader("Content-Type", "application/json");
    if (ctx.request().method().equals(HttpMethod.HEAD)) {
      int length = json.getBytes(StandardCharsets.UTF_8).length;
      response.putHeader("Content-Length", Integer.toString(length)).end();
    } else {
      response.end(json);
    }
  }

  private void format(Router router) {
    Endpoint endpoint = endpoint("format_query");
    mount(
        router,
        endpoint,
        (ctx, parameters) ->
            runner
                .away(ctx, () -> format(parameters))
                .onSuccess(formatted -> answer(ctx, formatted))
                .onFailure(failure -> runner.refuse(ctx, endpoint, failure)));
  }

  private static String format(LokiParameters parameters) {
    JsonText out = new JsonText().raw("{\"status\":\"success\",\"data\":");
    return out.string(parameters.query().toString()).raw("}").toString();
  }

  private void mount(
      Router router, Endpoint endpoint, BiConsumer<RoutingContext, LokiParameters> answer) {
    String path = endpoint.path().replace("{name}", ":name");
    router
        .route(path)
        .method(HttpMethod.GET)
        .method(HttpMethod.HEAD)
        .handler(ctx -> answer(ctx, endpoint, ctx.queryParams(), answer));
    router.post(path).handler(ctx -> answerForm(ctx, endpoint, answer));
  }

  private void answerForm(
      RoutingContext ctx, Endpoint endpoint, BiConsumer<RoutingContext, LokiParameters> answer) {
    forms
        .read(ctx)
        .onSuccess(form -> answer(ctx, endpoint, ctx.queryParams().addAll(form), answer))
        .onFailure(
            refusal -> {
              if (!ctx.response().closed()) {
                Failure.sendAsText(ctx);
                runner.refuse(ctx, endpoint, refusal);
              }
            });
  }

  private void answer(
      RoutingContext ctx,
      Endpoint endpoint,
      MultiMap parameters,
      BiConsumer<RoutingContext, LokiParameters> answer) {
    try {
      Failure.sendAsText(ctx);
      answer.accept(ctx, new LokiParameters(parameters, clock));
    } catch (RuntimeException e) {
      runner.refuse(ctx, endpoint, e);
    }
  }

  // Queries.

  private Work queryRange(Asked asked) {
    LokiParameters parameters = asked.parameters();
    Query query = parameters.query();
    return query instanceof LogSelector lines
        ? lines(asked, lines)
        : metric((Metric) query, parameters.times(), LokiAnswers::matrix);
  }

  private Work query(Asked asked) {
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
      return json(
          Selection.ALL,
          false,
          on -> CompletableFuture.completedFuture(nothing()),
          known -> LokiAnswers.scalar(LokiMetrics.scalar(metric), time));
    }
    return metric(metric, time, LokiAnswers::vector);
  }

  private static Counted<List<String>> nothing() {
    return new Counted<>(List.of(), AnswerFacts.lacking(List.of()));
  }

  private Work lines(Asked asked, LogSelector query) {
    LokiParameters parameters = asked.parameters();
    LogFilter filter = LogFilter.of(query, rules).forReader();
    Selection selection = selection(filter, parameters.range());
    EventQuery events = new EventQuery(selection, parameters.order(), parameters.limit(), null);
    boolean categorizes = asked.categorizes();
    long apart = parameters.intervalTicks();
    return read(
        events,
        on -> new LogStreams(filter, categorizes, apart, on.gone(), on::reserve),
        counted -> LokiAnswers.streams(counted, categorizes));
  }

  /** Returns work that reads lines and gathers something from them. */
  private static <T extends EventTaker> Work read(
      EventQuery events,
      Function<QueryService, T> gatherer,
      Function<Counted<T>, Iterator<Part>> toParts) {
    return json(
        events.selection(),
        true,
        on -> {
          T taker = gatherer.apply(on);
          return on.read(events, taker).thenApply(facts -> new Counted<>(taker, facts));
        },
        toParts);
  }

  private static Selection selection(LogFilter filter, TimeRange range) {
    return new Selection(range, filter);
  }

  private Work metric(
      Metric metric,
      LokiMetrics.Times times,
      BiFunction<Counted<Vector>, LokiMetrics.Times, Iterator<Part>> toParts) {
    Metric.Range range = LokiMetrics.rangeOf(metric);
    Selection estimate =
        range == null
            ? new Selection(new TreeSet<>(Set.of("-")), new TimeRange(0, 0), "")
            : selection(LogFilter.of(range.lines(), rules), times.range(LokiMetrics.ticks(range)));
    return json(
        estimate,
        !LokiMetrics.isOfHeaders(metric, rules),
        on -> new LokiMetrics(on, rules, times).run(metric),
        counted -> toParts.apply(counted, times));
  }

  // Labels.

  private Work labels(Asked asked) {
    return ofFields(
        asked,
        cardinalities -> LokiAnswers.list(cardinalities.value().keySet(), cardinalities.facts()));
  }

  private Work detectedLabels(Asked asked) {
    return ofFields(asked, LokiAnswers::detectedLabels);
  }

  /** Returns the labels and the numbers of their values, from a sample of the events. */
  private Work ofFields(Asked asked, Function<Counted<Map<String, Long>>, Iterator<Part>> toParts) {
    LogFilter filter = LogFilter.of(asked.parameters().selectorOrAll(), rules);
    Selection selection = selection(filter, asked.parameters().range());
    Selection types = selection(filter.ofTypes(), selection.range());
    FieldsQuery fields = new FieldsQuery(selection, "", FieldsQuery.N_MAX, true);
    return json(
        selection,
        true,
        on ->
            withTypes(
                on,
                types,
                () -> on.fields(fields, false),
                (counted, found) -> labels(counted.size(), found)),
        toParts);
  }

  /** Reads the types, and then the other value. */
  private static <T, R> CompletionStage<Counted<R>> withTypes(
      QueryService on,
      Selection selection,
      Supplier<CompletionStage<Counted<T>>> more,
      BiFunction<List<TypeCount>, T, R> join) {
    return on.types(selection, false)
        .thenCompose(
            types ->
                more.get()
                    .thenApply(
                        found ->
                            new Counted<>(
                                join.apply(types.value(), found.value()),
                                types.facts().and(found.facts()))));
  }

  private Map<String, Long> labels(int types, Fields fields) {
    TreeMap<String, Long> labels = new TreeMap<>();
    for (Fields.Field field : fields.fields()) {
      String label = rules.labelOf(field.path());
      if (label != null && field.summary().distinct() > 0) {
        labels.merge(label, field.summary().distinct(), Math::max);
      }
    }
    if (types > 0) {
      labels.put(StreamLabels.SERVICE, (long) types);
    }
    return labels;
  }

  private Work labelValues(Asked asked) {
    LogFilter filter = LogFilter.of(asked.parameters().selectorOrAll(), rules);
    TimeRange range = asked.parameters().range();
    String name = asked.name();
    if (name.equals(StreamLabels.SERVICE) && filter.isOfTypes()) {
      Selection selection = selection(filter.ofTypes(), range);
      return json(
          selection,
          false,
          on -> on.types(selection, false),
          counted ->
              LokiAnswers.list(
                  counted.value().stream().map(TypeCount::type).toList(), counted.facts()));
    }
    Metric.Grouping by = new Metric.Grouping(false, List.of(name));
    return json(
        selection(filter.candidates(), range),
        true,
        on -> {
          LineSampler sampler =
              new LineSampler(filter, RangeFunction.COUNT_OVER_TIME, null, by, on.gone());
          Selection selection = selection(sampler.candidates(), range);
          return on.samples(new SampleReader.Query<>(selection, 0, sampler, Figure.SUM));
        },
        counted ->
            LokiAnswers.list(
                counted.value().series().keySet().stream()
                    .map(labels -> labels.byName().getOrDefault(name, ""))
                    .filter(value -> !value.isEmpty())
                    .collect(Collectors.toCollection(TreeSet::new)),
                counted.facts()));
  }

  private Work series(Asked asked) {
    List<LogSelector> given = asked.parameters().matches();
    List<LogFilter> filters =
        (given.isEmpty() ? List.of(LokiParameters.all()) : given)
            .stream().map(one -> LogFilter.of(one, rules)).toList();
    TimeRange range = asked.parameters().range();
    boolean isOne = filters.size() == 1;
    return json(
        isOne ? selection(filters.get(0), range) : new Selection(new TreeSet<>(), range, ""),
        true,
        on -> {
          filters.forEach(LogFilter::check);
          return streams(on, filters, range, new LinkedHashSet<>(), AnswerFacts.lacking(List.of()));
        },
        counted -> LokiAnswers.series(counted.value(), counted.facts()));
  }

  /** Reads the streams of each query, one query after the other. */
  private static CompletionStage<Counted<List<Labels>>> streams(
      QueryService on,
      List<LogFilter> filters,
      TimeRange range,
      Set<Labels> found,
      AnswerFacts factsBefore) {
    LogFilter filter = filters.get(0);
    StreamReader reader = new StreamReader(filter, on.gone());
    Selection selection = selection(filter.candidates(), range);
    return on.samples(new SampleReader.Query<>(selection, 0, reader, Figure.SUM))
        .thenCompose(
            counted -> {
              found.addAll(counted.value().series().keySet());
              AnswerFacts facts = factsBefore.and(counted.facts());
              if (filters.size() > 1) {
                return streams(on, filters.subList(1, filters.size()), range, found, facts);
              }
              List<Labels> sorted =
                  found.stream().sorted(Comparator.comparing(Labels::toString)).toList();
              return CompletableFuture.completedFuture(new Counted<>(sorted, facts));
            });
  }

  // Sizes.

  private Work stats(Asked asked) {
    LogFilter filter = LogFilter.of(asked.parameters().selectorOrAll(), rules);
    Selection selection = selection(filter.ofTypes(), asked.parameters().range());
    return json(selection, false, on -> on.types(selection, false), LokiAnswers::stats);
  }

  private Work volume(Asked asked) {
    LogFilter filter = LogFilter.of(asked.parameters().selectorOfTypes(), rules);
    TimeRange range = asked.parameters().range();
    Selection selection = selection(filter.ofTypes(), range);
    int limit = asked.parameters().limit();
    LokiMetrics.Times end = new LokiMetrics.Times(range.toTicks(), 1, 1, true);
    return json(
        selection,
        false,
        on -> on.types(selection, false),
        counted ->
            LokiAnswers.vector(
                new Counted<>(
                    new Vector(
                        largest(counted.value(), limit).stream()
                            .map(type -> series(type, new double[] {type.bytes()}))
                            .toList()),
                    counted.facts()),
                end));
  }

  private static List<TypeCount> largest(List<TypeCount> types, int limit) {
    return types.stream()
        .sorted(Comparator.comparingLong((TypeCount type) -> -type.bytes()))
        .limit(limit)
        .toList();
  }

  private static Series series(TypeCount type, double[] values) {
    Series series = new Series(Labels.of(StreamLabels.SERVICE, type.type()), values.length);
    for (int t = 0; t < values.length; t++) {
      if (values[t] > 0) {
        series.put(t, values[t]);
      }
    }
    return series;
  }

  /**
   * Returns the volumes of types in steps. The bytes of a step are estimated as if all events of a
   * type had the same length.
   */
  private Work volumeRange(Asked asked) {
    LogFilter filter = LogFilter.of(asked.parameters().selectorOfTypes(), rules);
    LokiMetrics.Times times = asked.parameters().times();
    times.range(0); // refuses other centuries
    int limit = asked.parameters().limit();
    TimeRange range =
        new TimeRange(
            times.startTicks(),
            Math.min(asked.parameters().range().toTicks(), times.ticks(times.count())));
    Selection selection = selection(filter.ofTypes(), range);
    HitsQuery hits = new HitsQuery(selection, times.stepMillis(), Grouping.OF_TYPES);
    return json(
        selection,
        false,
        on ->
            withTypes(
                on,
                selection,
                () -> on.hits(hits, false),
                (types, counted) -> volumes(types, counted, times, limit)),
        counted -> LokiAnswers.matrix(counted, times));
  }

  private static Vector volumes(
      List<TypeCount> types, Hits hits, LokiMetrics.Times times, int limit) {
    Map<String, long[]> counts =
        hits.series().series().stream()
            .collect(
                Collectors.toMap(one -> one.group().parts().get(0).text(), Grouped.Series::value));
    List<Series> all = new ArrayList<>();
    for (TypeCount type : largest(types, limit)) {
      long[] ofType = counts.getOrDefault(type.type(), new long[0]);
      double[] bytes = new double[times.count()];
      for (int t = 0; t < Math.min(bytes.length, ofType.length); t++) {
        bytes[t] = Math.rint((double) type.bytes() / type.count() * ofType[t]);
      }
      all.add(series(type, bytes));
    }
    return Vector.of(all);
  }

  // Fields.

  private Work detectedFields(Asked asked) {
    int limit = asked.parameters().number("limit", FIELDS_DEFAULT);
    return detected(
        asked,
        fields ->
            LokiAnswers.limited("fields", fields.value().write(limit), limit, fields.facts()));
  }

  private Work detectedFieldValues(Asked asked) {
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
  private Work detected(Asked asked, Function<Counted<DetectedFields>, Iterator<Part>> toParts) {
    LogFilter filter = LogFilter.of(asked.parameters().selectorOrAll(), rules);
    Selection selection = selection(filter, asked.parameters().range());
    int lines = asked.parameters().number("line_limit", FIELDS_DEFAULT);
    EventQuery events = new EventQuery(selection, Order.DESCENDING, lines, null);
    return read(events, on -> new DetectedFields(filter, on.gone(), on::reserve), toParts);
  }

  private static <T> Work json(
      Selection selection,
      boolean readsPayloads,
      Function<QueryService, CompletionStage<Counted<T>>> ask,
      Function<Counted<T>, Iterator<Part>> toParts) {
    return new Work(
        selection,
        readsPayloads,
        on -> {
          on.check(selection); // also if it meets no event
          return new PartsStream<>(ask.apply(on), toParts, Counted::facts);
        });
  }
}
