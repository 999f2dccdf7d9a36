package hourglass.query.http;

import com.google.common.collect.Iterators;
import com.google.common.io.Resources;
import hourglass.access.Client;
import hourglass.access.Failures;
import hourglass.access.FairExecutor;
import hourglass.bucketing.TimeUuid;
import hourglass.query.AnswerFacts;
import hourglass.query.AroundQuery;
import hourglass.query.Counted;
import hourglass.query.EventQuery;
import hourglass.query.FieldsQuery;
import hourglass.query.Gaps;
import hourglass.query.HitsQuery;
import hourglass.query.QueryOptions;
import hourglass.query.Selection;
import hourglass.query.StatsQuery;
import hourglass.query.TopQuery;
import hourglass.query.encode.CsvTable;
import hourglass.query.encode.EventFormat;
import hourglass.query.fair.AnswerBody;
import hourglass.query.fair.AnswerBytes;
import hourglass.query.fair.PlaceLimits;
import hourglass.query.fair.Places;
import hourglass.query.fair.Places.Size;
import hourglass.query.fair.QueryThread;
import hourglass.query.http.JsonParts.Part;
import hourglass.query.service.QueryService;
import hourglass.query.typed.FilterException;
import hourglass.store.RowSource;
import hourglass.store.WideColumnStore;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.MIMEHeader;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.time.Clock;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The query service over HTTP. A refusal fails the routing context, so that the router's failure
 * handler answers. Thread-safe.
 */
public final class QueryRoutes {
  /** The largest limit of a page that reads little beyond its events. */
  private static final long PAGE_MAX = 10_000;

  private final QueryOptions options;
  private final Clock steady;
  private final QueryService service;
  private final QueryRunner runner;

  /**
   * Creates the routes, and the query service that they use.
   *
   * @param steady a monotonic clock
   * @param executor shares the processors between clients
   * @param threads unbounded, since places bound the threads that queries occupy
   * @param cache owned by the caller; null if there is none
   * @param clients identifies the client of a request, for fair shares
   */
  public QueryRoutes(
      WideColumnStore store,
      QueryOptions options,
      Clock clock,
      Clock steady,
      MeterRegistry meters,
      FairExecutor executor,
      Executor threads,
      RowSource.@Nullable Cache cache,
      Function<RoutingContext, Client> clients) {
    this.options = options;
    this.steady = steady;
    service = new QueryService(store, options, clock, executor, cache);
    AnswerBytes bytes = new AnswerBytes(options.answerBytes());
    Places places =
        new Places(
            PlaceLimits.of(options.concurrentQueries()),
            bytes::mayBegin,
            () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    RunningQueries running = new RunningQueries(clock);
    SlowQueries slow = new SlowQueries(options.logSlowerThanMillis(), System::nanoTime);
    QueryLimiter limiter =
        new QueryLimiter(places, executor, threads, new QueryMeters(running, slow, meters));
    Gauge.builder("hourglass.query.held.bytes", bytes, AnswerBytes::held)
        .description("Memory that answers under way hold")
        .register(meters);
    runner = new QueryRunner(service, executor, steady, limiter, bytes, clients);
  }

  /** Returns the runner, which runs the queries of other APIs within the same places. */
  public QueryRunner runner() {
    return runner;
  }

  public void mount(Router router) {
    get(router, Endpoint.EVENTS, this::events);
    get(router, Endpoint.EVENT, this::event);
    get(router, Endpoint.PLAN, this::plan);
    get(router, Endpoint.HITS, this::hits);
    get(router, Endpoint.TYPES, this::types);
    get(router, Endpoint.STATS, this::stats);
    get(router, Endpoint.TOP, this::top);
    get(router, Endpoint.FIELDS, this::fields);
    get(router, Endpoint.ROWS, this::rows);
    filter(router);
    Buffer openApi = openApi();
    Endpoint.OPENAPI.mount(
        router,
        (ctx, parameters) ->
            ctx.response().putHeader("Content-Type", "application/yaml").end(openApi),
        (ctx, failure) -> runner.refuse(ctx, Endpoint.OPENAPI, failure));
  }

  /** Reads the OpenAPI document of the whole program. */
  private static Buffer openApi() {
    URL document = Resources.getResource(QueryRoutes.class, "/hourglass/openapi.yaml");
    try {
      return Buffer.buffer(Resources.toByteArray(document));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void get(
      Router router,
      Endpoint endpoint,
      BiFunction<RoutingContext, QueryParameters, PreparedQuery> prepare) {
    endpoint.mount(
        router,
        (ctx, parameters) ->
            runner.withFilter(
                ctx,
                parameters,
                read ->
                    runner.answer(
                        ctx,
                        endpoint,
                        prepare
                            .apply(ctx, read)
                            .within(read.timeLimit(options.bounds().timeoutMillis()))),
                failure -> runner.refuse(ctx, endpoint, failure)),
        (ctx, failure) -> runner.refuse(ctx, endpoint, failure));
  }

  /** Adds the endpoint that explains a typed filter. It reads no event, and so needs no place. */
  private void filter(Router router) {
    BiConsumer<RoutingContext, Throwable> refuse =
        (ctx, failure) -> runner.refuse(ctx, Endpoint.FILTER, failure);
    Endpoint.FILTER.mount(
        router,
        (ctx, parameters) -> {
          boolean answersRefusals = parameters.answersRefusals();
          runner
              .away(ctx, () -> FilterAnswer.of(parameters.filter("q"), parameters.filter("and")))
              .onSuccess(answer -> FilterAnswer.send(ctx, answer))
              .onFailure(
                  failure -> {
                    if (answersRefusals
                        && Failures.cause(failure) instanceof FilterException refused) {
                      FilterAnswer.send(ctx, FilterAnswer.refusal(refused));
                    } else {
                      refuse.accept(ctx, failure);
                    }
                  });
        },
        refuse::accept);
  }

  private PreparedQuery events(RoutingContext ctx, QueryParameters parameters) {
    AroundQuery around = parameters.around(options.limit());
    EventQuery query = around == null ? parameters.events(options.limit()) : around.widest();
    Selection selection = query.selection();
    EventFormat format = format(ctx, parameters.format());
    CsvTable table = parameters.table(format);
    boolean progress = parameters.progress(format);
    boolean readsAll = selection.isFiltered() || query.limit() > PAGE_MAX;
    return PreparedQuery.of(
        readsAll ? Size.UNKNOWN : Size.SMALL,
        selection,
        true,
        AnswerHead.ofEvents(
            format,
            BodyCoding.of(ctx.request().headers()),
            Download.disposition(parameters, selection, format)),
        query.isLimited() && !progress,
        on -> {
          if (around != null) {
            return on.events(around, format, table);
          }
          return progress ? on.eventsWithProgress(query, steady) : on.events(query, format, table);
        });
  }

  /**
   * Returns the format of an answer. The parameter {@code format} decides, or else the Accept
   * header.
   *
   * @throws HttpException 406 if the client accepts no known format
   */
  private static EventFormat format(RoutingContext ctx, @Nullable EventFormat asked) {
    List<MIMEHeader> accepted = ctx.parsedHeaders().accept();
    if (asked != null || accepted.isEmpty()) {
      return asked != null ? asked : EventFormat.JSON;
    }
    for (MIMEHeader header : accepted) {
      EventFormat format = header.weight() > 0 ? format(header) : null;
      if (format != null) {
        return format;
      }
    }
    throw new HttpException(
        406,
        ("Accept: \"%s\" is none of application/json, application/x-ndjson, text/csv,"
                + " application/cloudevents-batch+json")
            .formatted(ctx.request().getHeader("Accept")));
  }

  private static @Nullable EventFormat format(MIMEHeader header) {
    return switch (header.component() + "/" + header.subComponent()) {
      case "*/*", "application/*", "application/json" -> EventFormat.JSON;
      case "application/x-ndjson", "application/ndjson", "application/jsonl" -> EventFormat.NDJSON;
      case "text/csv", "text/*" -> EventFormat.CSV;
      case "application/cloudevents-batch+json" -> EventFormat.CLOUDEVENTS;
      default -> null;
    };
  }

  private PreparedQuery event(RoutingContext ctx, QueryParameters parameters) {
    TimeUuid id = QueryParameters.id("id", ctx.pathParam("id"));
    SortedSet<String> types = parameters.types();
    return uncounted(
        ctx,
        Size.SMALL,
        Selection.ALL,
        (on, thread) -> new Counted<>(on.event(id, types, thread), AnswerFacts.of(Gaps.NONE)),
        found -> {
          byte[] event =
              found
                  .value()
                  .orElseThrow(() -> new HttpException(404, "id: there is no event " + id));
          return Iterators.singletonIterator(
              json -> ((OutputStream) json.getOutputTarget()).write(event));
        });
  }

  private PreparedQuery plan(RoutingContext ctx, QueryParameters parameters) {
    AroundQuery around = parameters.around(options.limit());
    EventQuery query = around == null ? parameters.events(options.limit()) : around.widest();
    Selection selection = query.selection();
    EventFormat format = Objects.requireNonNullElse(parameters.format(), EventFormat.JSON);
    parameters.table(format);
    parameters.progress(format);
    Download.disposition(parameters, selection, format);
    return uncounted(
        ctx, Size.SMALL, selection, (on, thread) -> on.plan(query, thread), JsonAnswers::plan);
  }

  private PreparedQuery hits(RoutingContext ctx, QueryParameters parameters) {
    HitsQuery query = parameters.hits();
    boolean partial = parameters.partial();
    return counted(
        ctx,
        query.selection(),
        query.grouping().hasFields(),
        (on, thread) -> on.hits(query, partial, thread),
        JsonAnswers::hits);
  }

  private PreparedQuery types(RoutingContext ctx, QueryParameters parameters) {
    Selection selection = parameters.selection();
    boolean partial = parameters.partial();
    return counted(
        ctx,
        selection,
        false,
        (on, thread) -> on.types(selection, partial, thread),
        JsonAnswers::types);
  }

  private PreparedQuery stats(RoutingContext ctx, QueryParameters parameters) {
    StatsQuery query = parameters.stats();
    boolean partial = parameters.partial();
    return counted(
        ctx,
        query.selection(),
        true,
        (on, thread) -> on.stats(query, partial, thread),
        JsonAnswers::stats);
  }

  private PreparedQuery top(RoutingContext ctx, QueryParameters parameters) {
    TopQuery query = parameters.top();
    boolean partial = parameters.partial();
    return counted(
        ctx,
        query.selection(),
        true,
        (on, thread) -> on.top(query, partial, thread),
        JsonAnswers::top);
  }

  private PreparedQuery fields(RoutingContext ctx, QueryParameters parameters) {
    FieldsQuery query = parameters.fields();
    boolean partial = parameters.partial();
    return counted(
        ctx,
        query.selection(),
        true,
        (on, thread) -> on.fields(query, partial, thread),
        JsonAnswers::fields);
  }

  private PreparedQuery rows(RoutingContext ctx, QueryParameters parameters) {
    Selection selection = parameters.selection();
    return uncounted(
        ctx,
        Size.UNKNOWN,
        selection,
        (on, thread) -> on.rows(selection, thread),
        report -> JsonAnswers.rows(report, options.layout().planner()));
  }

  /** Prepares a query whose facts do not include rows. */
  private static <T> PreparedQuery uncounted(
      RoutingContext ctx,
      Size size,
      Selection selection,
      BiFunction<QueryService, QueryThread, Counted<T>> ask,
      Function<Counted<T>, Iterator<Part>> toParts) {
    return json(
        ctx, size, selection, false, on -> new PartsStream<>(on, ask, toParts, Counted::facts));
  }

  /** Prepares a query whose facts include rows. It reads payloads also if there is a filter. */
  private static <T> PreparedQuery counted(
      RoutingContext ctx,
      Selection selection,
      boolean readsPayloads,
      BiFunction<QueryService, QueryThread, Counted<T>> ask,
      Function<Counted<T>, Iterator<Part>> toParts) {
    return json(
        ctx,
        Size.UNKNOWN,
        selection,
        readsPayloads || selection.isFiltered(),
        on -> new PartsStream<>(on, ask, toParts, Counted::facts));
  }

  private static PreparedQuery json(
      RoutingContext ctx,
      Size size,
      Selection selection,
      boolean readsPayloads,
      Function<QueryService, AnswerBody> body) {
    AnswerHead head = AnswerHead.ofJson(BodyCoding.of(ctx.request().headers()));
    // Most answers are small. One that fits into its chunks is sent whole, with a Content-Length.
    return PreparedQuery.of(size, selection, readsPayloads, head, true, body);
  }
}
