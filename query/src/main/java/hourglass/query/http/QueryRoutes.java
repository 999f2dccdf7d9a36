package hourglass.query.http;

import hourglass.bucketing.TimeUuid;
import hourglass.query.AroundQuery;
import hourglass.query.CsvField;
import hourglass.query.EventFormat;
import hourglass.query.EventQuery;
import hourglass.query.EventStream;
import hourglass.query.HitsQuery;
import hourglass.query.QueryOptions;
import hourglass.query.QueryParameters;
import hourglass.query.QueryService;
import hourglass.query.Selection;
import hourglass.query.StatsQuery;
import hourglass.query.TopQuery;
import hourglass.query.cache.RowCache;
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
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The query service over HTTP: {@code /api/v1/events}, {@code /plan}, {@code /hits}, {@code
 * /types}, {@code /stats}, {@code /top}, {@code /rows} and {@code /openapi.yaml}. A refusal fails
 * the routing context with an {@link io.vertx.ext.web.handler.HttpException}; the router's failure
 * handler renders it. Thread-safe.
 */
public final class QueryRoutes {
  private final QueryService service;
  private final QueryOptions options;
  private final Clock clock;
  private final Executor executor;
  private final Questions questions;

  /**
   * @param clock tells which hours are over, and how long a client has taken nothing
   * @param executor runs merges, filters and encoders; a few threads, and a queue for at least
   *     three tasks per concurrent query
   * @param cache keeps sealed rows, and stays the caller's; null: none are kept
   */
  public QueryRoutes(
      WideColumnStore store,
      QueryOptions options,
      Clock clock,
      MeterRegistry meters,
      Executor executor,
      @Nullable RowCache cache) {
    this.options = options;
    this.clock = clock;
    this.executor = executor;
    service = new QueryService(store, options, clock, executor, cache);
    Admission admission = new Admission(options.concurrentQueries(), meters);
    questions = new Questions(service, executor, admission);
  }

  /** Adds the routes to a router. */
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

  /** The interface of the whole program, as an OpenAPI document. */
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
                questions.refuse(ctx, endpoint, e);
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
      BodySource body = (format, fields) -> service.events(around, format, fields);
      stream(ctx, parameters, around.selection(), true, body);
    } else {
      EventQuery query = parameters.events(options.limit());
      BodySource body = (format, fields) -> service.events(query, format, fields);
      stream(ctx, parameters, query.selection(), query.isLimited(), body);
    }
  }

  /** Begins the body of an answer. */
  @FunctionalInterface
  private interface BodySource {
    EventStream begin(EventFormat format, List<CsvField> fields);
  }

  private void stream(
      RoutingContext ctx,
      QueryParameters parameters,
      Selection selection,
      boolean limited,
      BodySource body) {
    EventFormat format = Negotiation.format(ctx, parameters.format());
    List<CsvField> fields = parameters.fields(format);
    AnswerHead head =
        new AnswerHead(
            format,
            BodyCoding.of(ctx.request().headers()),
            Download.disposition(parameters, selection, format));
    if (Questions.isHead(ctx)) {
      questions.head(ctx, selection, head::put);
      return;
    }
    Admission.Ticket ticket = questions.enter(ctx, Endpoint.EVENTS);
    if (ticket != null) {
      Supplier<EventStream> source = () -> body.begin(format, fields);
      new ResponseStream(ctx, head, source, limited, options, clock, executor, ticket).start();
    }
  }

  private void event(RoutingContext ctx, QueryParameters parameters) {
    TimeUuid id = QueryParameters.id(ctx.pathParam("id"));
    SortedSet<String> types = parameters.types();
    questions.answer(
        ctx,
        Endpoint.EVENT,
        Selection.ALL,
        gone -> service.event(id, types),
        event -> event.orElseThrow(() -> new HttpException(404, "id: there is no event " + id)));
  }

  private void plan(RoutingContext ctx, QueryParameters parameters) {
    AroundQuery around = parameters.around(options.limit());
    EventQuery query = around == null ? parameters.events(options.limit()) : around.widest();
    EventFormat format = parameters.format();
    EventFormat known = format == null ? EventFormat.JSON : format;
    parameters.fields(known);
    Download.disposition(parameters, query.selection(), known);
    questions.answer(
        ctx,
        Endpoint.PLAN,
        query.selection(),
        gone -> service.plan(query, gone),
        JsonAnswers::plan);
  }

  private void hits(RoutingContext ctx, QueryParameters parameters) {
    HitsQuery query = parameters.hits();
    questions.answer(
        ctx,
        Endpoint.HITS,
        query.selection(),
        gone -> service.hits(query, gone),
        JsonAnswers::hits);
  }

  private void types(RoutingContext ctx, QueryParameters parameters) {
    Selection selection = parameters.selection();
    questions.answer(
        ctx, Endpoint.TYPES, selection, gone -> service.types(selection, gone), JsonAnswers::types);
  }

  private void stats(RoutingContext ctx, QueryParameters parameters) {
    StatsQuery query = parameters.stats();
    questions.answer(
        ctx,
        Endpoint.STATS,
        query.selection(),
        gone -> service.stats(query, gone),
        FieldAnswers::stats);
  }

  private void top(RoutingContext ctx, QueryParameters parameters) {
    TopQuery query = parameters.top();
    questions.answer(
        ctx,
        Endpoint.TOP,
        query.selection(),
        gone -> service.top(query, gone),
        top -> FieldAnswers.top(query.path(), top));
  }

  private void rows(RoutingContext ctx, QueryParameters parameters) {
    Selection selection = parameters.selection();
    questions.answer(
        ctx,
        Endpoint.ROWS,
        selection,
        gone -> service.rows(selection, gone),
        report -> RowsAnswer.json(report, options.layout().planner()));
  }
}
