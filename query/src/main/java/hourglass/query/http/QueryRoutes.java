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
import io.vertx.core.Context;
import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The query service over HTTP: {@code /api/v1/events}, {@code /plan}, {@code /hits}, {@code
 * /types}, {@code /stats}, {@code /top}, {@code /rows} and {@code /openapi.yaml}. A refusal fails
 * the routing context with an {@link io.vertx.ext.web.handler.HttpException}; the router's failure
 * handler renders it. Thread-safe.
 */
public final class QueryRoutes {
  private static final Logger log = LoggerFactory.getLogger(QueryRoutes.class);

  private final QueryService service;
  private final QueryOptions options;
  private final Clock clock;
  private final Executor executor;
  private final Admission admission;

  /**
   * @param clock tells which hours are over, and how long a client has taken nothing
   * @param executor runs merges and encoders; a few threads, and a queue for at least two tasks per
   *     concurrent query
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
    admission = new Admission(options.concurrentQueries(), meters);
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
                Failure failure = Failure.of(e);
                admission.refused(endpoint, failure.outcome());
                logIfOurs(failure, ctx, e);
                failure.send(ctx);
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
    if (isHead(ctx)) {
      head(ctx, selection, head::put);
      return;
    }
    Admission.Ticket ticket = enter(ctx, Endpoint.EVENTS);
    if (ticket != null) {
      Supplier<EventStream> source = () -> body.begin(format, fields);
      new ResponseStream(ctx, head, source, limited, options, clock, executor, ticket).start();
    }
  }

  private void event(RoutingContext ctx, QueryParameters parameters) {
    TimeUuid id = QueryParameters.id(ctx.pathParam("id"));
    SortedSet<String> types = parameters.types();
    answer(
        ctx,
        Endpoint.EVENT,
        Selection.ALL,
        gone -> service.event(id, types),
        event -> event.orElseThrow(() -> new HttpException(404, "id: there is no event " + id)));
  }

  private void plan(RoutingContext ctx, QueryParameters parameters) {
    EventQuery query = parameters.events(options.limit());
    EventFormat format = parameters.format();
    EventFormat known = format == null ? EventFormat.JSON : format;
    parameters.fields(known);
    Download.disposition(parameters, query.selection(), known);
    answer(
        ctx,
        Endpoint.PLAN,
        query.selection(),
        gone -> service.plan(query, gone),
        JsonAnswers::plan);
  }

  private void hits(RoutingContext ctx, QueryParameters parameters) {
    HitsQuery query = parameters.hits();
    answer(
        ctx,
        Endpoint.HITS,
        query.selection(),
        gone -> service.hits(query, gone),
        JsonAnswers::hits);
  }

  private void types(RoutingContext ctx, QueryParameters parameters) {
    Selection selection = parameters.selection();
    answer(
        ctx, Endpoint.TYPES, selection, gone -> service.types(selection, gone), JsonAnswers::types);
  }

  private void stats(RoutingContext ctx, QueryParameters parameters) {
    StatsQuery query = parameters.stats();
    answer(
        ctx,
        Endpoint.STATS,
        query.selection(),
        gone -> service.stats(query, gone),
        FieldAnswers::stats);
  }

  private void top(RoutingContext ctx, QueryParameters parameters) {
    TopQuery query = parameters.top();
    answer(
        ctx,
        Endpoint.TOP,
        query.selection(),
        gone -> service.top(query, gone),
        top -> FieldAnswers.top(query.path(), top));
  }

  private void rows(RoutingContext ctx, QueryParameters parameters) {
    Selection selection = parameters.selection();
    answer(
        ctx,
        Endpoint.ROWS,
        selection,
        gone -> service.rows(selection, gone),
        report -> RowsAnswer.json(report, options.layout().planner()));
  }

  /** Asks on the executor, since a store may work in the thread that asks. */
  private <T> void answer(
      RoutingContext ctx,
      Endpoint endpoint,
      Selection selection,
      Function<BooleanSupplier, CompletionStage<T>> question,
      Function<T, byte[]> toJson) {
    if (isHead(ctx)) {
      head(ctx, selection, JsonBody::putHead);
      return;
    }
    Admission.Ticket ticket = enter(ctx, endpoint);
    if (ticket == null) {
      return;
    }
    Context context = ctx.vertx().getOrCreateContext();
    AtomicBoolean gone = new AtomicBoolean();
    ctx.response().closeHandler(closed -> gone.set(true));
    BodyCoding coding = BodyCoding.of(ctx.request().headers());
    inTime(ctx, asked(() -> question.apply(gone::get)))
        // Answers come in threads of the store, or in that of this connection, which have other
        // work.
        .thenApplyAsync(answer -> JsonBody.of(toJson.apply(answer), coding), executor)
        .whenComplete(
            (body, thrown) ->
                context.runOnContext(
                    ignored -> {
                      if (thrown == null) {
                        ticket.end("ok");
                        body.send(ctx.response());
                      } else if (gone.getAndSet(true)) {
                        ticket.end("cancelled");
                      } else {
                        Failure failure = Failure.of(thrown);
                        ticket.end(failure.outcome());
                        logIfOurs(failure, ctx, thrown);
                        failure.send(ctx);
                      }
                    }));
  }

  /** Fails once a query has run for as long as any may. */
  private <T> CompletionStage<T> inTime(RoutingContext ctx, CompletionStage<T> answer) {
    long timeoutMillis = options.bounds().timeoutMillis();
    CompletableFuture<T> inTime = answer.toCompletableFuture().copy();
    long timer =
        ctx.vertx()
            .setTimer(
                timeoutMillis,
                id -> inTime.completeExceptionally(new QueryTimeoutException(timeoutMillis)));
    return inTime.whenComplete((done, thrown) -> ctx.vertx().cancelTimer(timer));
  }

  private <T> CompletionStage<T> asked(Supplier<CompletionStage<T>> question) {
    try {
      return CompletableFuture.supplyAsync(question, executor).thenCompose(Function.identity());
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** A HEAD costs no query: it has the headers that are known before there is an answer. */
  private static boolean isHead(RoutingContext ctx) {
    return ctx.request().method().equals(HttpMethod.HEAD);
  }

  /** Checks on the executor what takes time to check. */
  private void head(
      RoutingContext ctx, Selection selection, UnaryOperator<HttpServerResponse> putHead) {
    if (selection.where().isEmpty()) {
      putHead.apply(ctx.response()).end();
      return;
    }
    Context context = ctx.vertx().getOrCreateContext();
    asked(
            () -> {
              service.check(selection);
              return CompletableFuture.completedFuture(true);
            })
        .whenComplete(
            (checked, thrown) ->
                context.runOnContext(
                    ignored -> {
                      if (thrown == null) {
                        putHead.apply(ctx.response()).end();
                      } else {
                        Failure failure = Failure.of(thrown);
                        logIfOurs(failure, ctx, thrown);
                        failure.send(ctx);
                      }
                    }));
  }

  private Admission.@Nullable Ticket enter(RoutingContext ctx, Endpoint endpoint) {
    Admission.Ticket ticket = admission.enter(endpoint);
    if (ticket == null) {
      new Failure(
              429,
              options.concurrentQueries() + " queries are under way, the most that are allowed",
              1,
              "too_many")
          .send(ctx);
    }
    return ticket;
  }

  private static void logIfOurs(Failure failure, RoutingContext ctx, Throwable thrown) {
    if (failure.isOurs()) {
      log.warn("query failed: {}", ctx.request().uri(), thrown);
    }
  }
}
