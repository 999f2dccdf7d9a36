package hourglass.query.http;

import hourglass.query.QueryOptions;
import hourglass.query.QueryParameters;
import hourglass.query.TailOptions;
import hourglass.query.TailQuery;
import hourglass.query.TailService;
import hourglass.store.WideColumnStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * The live tail over HTTP: {@code /api/v1/tail}, server-sent events. A refusal fails the routing
 * context, as in {@link QueryRoutes}. Close it before the server, which otherwise waits for its
 * tails. Thread-safe.
 */
public final class TailRoutes implements AutoCloseable {
  private final TailService service;
  private final TailOptions tails;
  private final long stallTimeoutMillis;
  private final Clock clock;
  private final MeterRegistry meters;
  private final Executor executor;
  private final Set<TailStream> running = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * @param clock tells how long a client has taken nothing
   * @param executor runs merges, filters and encoders
   */
  public TailRoutes(
      WideColumnStore store,
      QueryOptions options,
      TailOptions tails,
      Clock clock,
      MeterRegistry meters,
      Executor executor) {
    this.service = new TailService(store, options, tails, executor);
    this.tails = tails;
    this.stallTimeoutMillis = options.stallTimeoutMillis();
    this.clock = clock;
    this.meters = meters;
    this.executor = executor;
    meters.gaugeCollectionSize("hourglass.query.tails", List.of(), running);
  }

  /** Adds the route to a router. */
  public void mount(Router router) {
    router
        .route(Endpoint.TAIL.route())
        .method(HttpMethod.GET)
        .method(HttpMethod.HEAD)
        .handler(this::tail);
  }

  private void tail(RoutingContext ctx) {
    try {
      Map<String, List<String>> given = new HashMap<>();
      ctx.queryParams().names().forEach(name -> given.put(name, ctx.queryParams().getAll(name)));
      QueryParameters parameters = new QueryParameters(given, Endpoint.TAIL.parameters());
      TailQuery query = parameters.tail(ctx.request().getHeader("Last-Event-ID"));
      if (ctx.request().method().equals(HttpMethod.HEAD)) {
        putHead(ctx.response()).end();
      } else {
        begin(ctx, query);
      }
    } catch (RuntimeException e) {
      Failure.of(e).send(ctx);
    }
  }

  private void begin(RoutingContext ctx, TailQuery query) {
    if (ctx.request().version() == HttpVersion.HTTP_1_0) {
      throw new HttpException(505, "a tail needs HTTP/1.1");
    }
    TailStream stream =
        new TailStream(ctx, service, query, stallTimeoutMillis, clock, executor, this::ended);
    synchronized (running) { // or more than allowed could come in at once
      if (closed || running.size() >= tails.concurrentMax()) {
        refuse(ctx);
        return;
      }
      running.add(stream);
    }
    stream.start();
  }

  private void refuse(RoutingContext ctx) {
    Failure failure =
        closed
            ? new Failure(503, "the server is stopping", 1, "unavailable")
            : new Failure(
                429,
                tails.concurrentMax() + " tails are running, the most that are allowed",
                10,
                "too_many");
    ended(failure.outcome());
    failure.send(ctx);
  }

  private void ended(TailStream stream, String outcome) {
    running.remove(stream);
    ended(outcome);
  }

  private void ended(String outcome) {
    meters.counter("hourglass.query.tails.ended", "outcome", outcome).increment();
  }

  static HttpServerResponse putHead(HttpServerResponse response) {
    return response
        .putHeader("Content-Type", "text/event-stream")
        .putHeader("Cache-Control", "no-store")
        .putHeader("X-Accel-Buffering", "no"); // proxies that gather answers would hold it back
  }

  /** Ends every tail, cleanly; their clients come back to where they were. */
  @Override
  public void close() {
    synchronized (running) {
      closed = true;
    }
    running.forEach(TailStream::finish);
  }
}
