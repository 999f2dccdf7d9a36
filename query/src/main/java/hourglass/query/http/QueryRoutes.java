package hourglass.query.http;

import hourglass.bucketing.TimeUuid;
import hourglass.query.AnswerBody;
import hourglass.query.AroundQuery;
import hourglass.query.EventQuery;
import hourglass.query.HitsQuery;
import hourglass.query.QueryOptions;
import hourglass.query.Selection;
import hourglass.query.StatsQuery;
import hourglass.query.TopQuery;
import hourglass.query.encode.CsvTable;
import hourglass.query.encode.EventFormat;
import hourglass.query.fair.AnswerBytes;
import hourglass.query.fair.FairExecutor;
import hourglass.query.fair.PlaceLimits;
import hourglass.query.fair.Places;
import hourglass.query.fair.Places.Size;
import hourglass.query.service.QueryService;
import hourglass.store.RowSource;
import hourglass.store.WideColumnStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The query service over HTTP: {@code /api/v1/events}, {@code /plan}, {@code /hits}, {@code
 * /types}, {@code /stats}, {@code /top}, {@code /rows} and {@code /openapi.yaml}. A refusal fails
 * the routing context with an {@link io.vertx.ext.web.handler.HttpException}, which the router's
 * failure handler renders. Thread-safe.
 */
public final class QueryRoutes {
  private final QueryOptions options;
  private final QueryRunner runner;

  /**
   * Creates the query service behind the routes.
   *
   * @param clock the wall clock; decides which hours are over
   * @param steady a monotonic clock, for running times and stalls of clients
   * @param executor runs merges, filters and encoders
   * @param cache keeps sealed rows; owned by the caller; null: no cache
   * @param clients identifies the client of a request, for fair shares
   */
  public QueryRoutes(
      WideColumnStore store,
      QueryOptions options,
      Clock clock,
      Clock steady,
      MeterRegistry meters,
      FairExecutor executor,
      RowSource.@Nullable Cache cache,
      Function<RoutingContext, Object> clients) {
    this.options = options;
    QueryService service = new QueryService(store, options, clock, executor, cache);
    AnswerBytes bytes = new AnswerBytes(options.answerBytes());
    Places places =
        new Places(
            PlaceLimits.of(options.concurrentQueries()),
            bytes::mayBegin,
            () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    QueryLimiter limiter = new QueryLimiter(places, executor, meters);
    meters.gauge("hourglass.query.held.bytes", bytes, AnswerBytes::held);
    runner = new QueryRunner(service, executor, steady, limiter, bytes, clients);
  }

  public void mount(Router router) {
    get(router, Endpoint.EVENTS, this::events);
    get(router, Endpoint.EVENT, this::event);
    get(router, Endpoint.PLAN, this::plan);
    get(router, Endpoint.HITS, this::hits);
    get(router, Endpoint.TYPES, this::types);
    get(router, Endpoint.STATS, this::stats);
    get(router, Endpoint.TOP, this::top);
    get(router, Endpoint.ROWS, this::rows);
    Buffer openApi = openApi();
    get(
        router,
        Endpoint.OPENAPI,
        (ctx, parameters) ->
            ctx.response().putHeader("Content-Type", "application/yaml").end(openApi));
  }

  /** The OpenAPI document of the whole program. */
  private static Buffer openApi() {
    try (InputStream in = QueryRoutes.class.getResourceAsStream("/hourglass/openapi.yaml")) {
      if (in == null) {
        throw new IllegalStateException("openapi.yaml is not on the class path");
      }
      return Buffer.buffer(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void get(
      Router router, Endpoint endpoint, BiConsumer<RoutingContext, QueryParameters> handler) {
    router
        .route(endpoint.route())
        .method(HttpMethod.GET)
        .method(HttpMethod.HEAD)
        .handler(
            ctx -> {
              try {
                Map<String, List<String>> given = asMap(ctx.queryParams());
                handler.accept(ctx, new QueryParameters(given, endpoint.parameters()));
              } catch (RuntimeException e) {
                runner.refuse(ctx, endpoint, e);
              }
            });
  }

  private static Map<String, List<String>> asMap(MultiMap parameters) {
    Map<String, List<String>> map = new HashMap<>();
    for (String name : parameters.names()) {
      map.put(name, parameters.getAll(name));
    }
    return map;
  }

  private void events(RoutingContext ctx, QueryParameters parameters) {
    AroundQuery around = parameters.around(options.limit());
    if (around != null) {
      EventsBody body = (on, format, table) -> on.events(around, format, table);
      stream(ctx, parameters, around.widest(), body);
    } else {
      EventQuery query = parameters.events(options.limit());
      EventsBody body = (on, format, table) -> on.events(query, format, table);
      stream(ctx, parameters, query, body);
    }
  }

  @FunctionalInterface
  private interface EventsBody {
    AnswerBody begin(QueryService on, EventFormat format, CsvTable table);
  }

  private void stream(
      RoutingContext ctx, QueryParameters parameters, EventQuery query, EventsBody body) {
    Selection selection = query.selection();
    EventFormat format = Negotiation.format(ctx, parameters.format());
    CsvTable table = parameters.table(format);
    AnswerHead head =
        AnswerHead.ofEvents(
            format,
            BodyCoding.of(ctx.request().headers()),
            Download.disposition(parameters, selection, format));
    runner.answer(
        ctx,
        Endpoint.EVENTS,
        Cost.of(query),
        selection,
        head,
        query.isLimited(),
        on -> body.begin(on, format, table));
  }

  private void event(RoutingContext ctx, QueryParameters parameters) {
    TimeUuid id = QueryParameters.id(ctx.pathParam("id"));
    SortedSet<String> types = parameters.types();
    runner.answer(
        ctx,
        Endpoint.EVENT,
        Cost.SMALL,
        on -> on.event(id, types),
        event ->
            AnswerParts.of(
                event.orElseThrow(() -> new HttpException(404, "id: there is no event " + id))));
  }

  private void plan(RoutingContext ctx, QueryParameters parameters) {
    AroundQuery around = parameters.around(options.limit());
    EventQuery query = around == null ? parameters.events(options.limit()) : around.widest();
    EventFormat format = parameters.format();
    EventFormat known = format == null ? EventFormat.JSON : format;
    parameters.table(known);
    Download.disposition(parameters, query.selection(), known);
    runner.answer(
        ctx,
        Endpoint.PLAN,
        new Cost(Size.SMALL, query.selection(), false),
        on -> on.plan(query),
        plan -> JsonAnswers.plan(plan, runner.missing(query.selection())));
  }

  private void hits(RoutingContext ctx, QueryParameters parameters) {
    HitsQuery query = parameters.hits();
    boolean partial = parameters.partial();
    runner.answerCounted(
        ctx,
        Endpoint.HITS,
        Cost.ofCounts(query.selection()),
        on -> on.hits(query, partial),
        JsonAnswers::hits);
  }

  private void types(RoutingContext ctx, QueryParameters parameters) {
    Selection selection = parameters.selection();
    boolean partial = parameters.partial();
    runner.answerCounted(
        ctx,
        Endpoint.TYPES,
        Cost.ofCounts(selection),
        on -> on.types(selection, partial),
        JsonAnswers::types);
  }

  private void stats(RoutingContext ctx, QueryParameters parameters) {
    StatsQuery query = parameters.stats();
    boolean partial = parameters.partial();
    runner.answerCounted(
        ctx,
        Endpoint.STATS,
        Cost.ofPayloads(query.selection()),
        on -> on.stats(query, partial),
        FieldAnswers::stats);
  }

  private void top(RoutingContext ctx, QueryParameters parameters) {
    TopQuery query = parameters.top();
    boolean partial = parameters.partial();
    runner.answerCounted(
        ctx,
        Endpoint.TOP,
        Cost.ofPayloads(query.selection()),
        on -> on.top(query, partial),
        top -> FieldAnswers.top(query.path(), top));
  }

  private void rows(RoutingContext ctx, QueryParameters parameters) {
    Selection selection = parameters.selection();
    runner.answer(
        ctx,
        Endpoint.ROWS,
        Cost.ofCounts(selection),
        on -> on.rows(selection),
        report -> RowsAnswer.parts(report, options.layout().planner(), runner.missing(selection)));
  }
}
