package hourglass.ingest.http;

import hourglass.access.Client;
import hourglass.access.FairExecutor;
import hourglass.bucketing.Ticks;
import hourglass.ingest.service.IngestService;
import hourglass.ingest.service.Rejects;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The routes of pushes over HTTP: {@code POST /api/v1/events}, the pushes of other protocols, and
 * {@code GET /api/v1/rejects}.
 */
public final class IngestRoutes {
  // This is the interval of checks whether a client still sends.
  private static final long TICK_MILLIS = 5_000;

  private static final int RETRIES_PER_TICK = 5;

  // This is the largest read of a socket, since smaller pieces cost more.
  private static final int CHUNK_BYTES_MAX = 64 * 1024;

  private final IngestService service;
  private final PushRules rules;
  private final List<PushProtocol> protocols;
  private final FairExecutor workers;
  private final MeterRegistry meters;
  private final Function<RoutingContext, Client> clients;
  private final long tickMillis;

  /**
   * Creates the routes. The client that {@code clients} finds for a request shares the in-flight
   * budget.
   */
  public IngestRoutes(
      IngestService service,
      PushRules rules,
      List<PushProtocol> protocols,
      FairExecutor workers,
      MeterRegistry meters,
      Function<RoutingContext, Client> clients) {
    this(service, rules, protocols, workers, meters, clients, TICK_MILLIS);
  }

  IngestRoutes(
      IngestService service,
      PushRules rules,
      List<PushProtocol> protocols,
      FairExecutor workers,
      MeterRegistry meters,
      Function<RoutingContext, Client> clients,
      long tickMillis) {
    this.protocols = List.copyOf(protocols);
    this.clients = clients;
    this.service = service;
    this.rules = rules;
    this.workers = workers;
    this.meters = meters;
    this.tickMillis = tickMillis;
  }

  /**
   * Sets the server options. HTTP/2 without TLS is off, since some clients offer an upgrade to it
   * with a POST.
   */
  public static HttpServerOptions prepare(HttpServerOptions options) {
    return options
        .setMaxChunkSize(CHUNK_BYTES_MAX)
        .setDecompressionSupported(false)
        .setHandle100ContinueAutomatically(false)
        .setHttp2ClearTextEnabled(false);
  }

  /** Mounts the routes. No earlier handler may read bodies. */
  public void mount(Router router) {
    new NativePush(rules).mount(router, this);
    for (PushProtocol protocol : protocols) {
      protocol.mount(router, this);
    }
    router
        .route("/api/v1/rejects")
        .method(HttpMethod.GET)
        .method(HttpMethod.HEAD)
        .handler(this::rejects);
  }

  /** Reads the body of a request whole, stores its events and answers. */
  public void push(PushProtocol protocol, RoutingContext ctx, ProtocolDecoder decoder) {
    push(protocol, ctx, push -> decoder);
  }

  /** Does the same with a decoder that is created once the rules of the request are read. */
  void push(
      PushProtocol protocol,
      RoutingContext ctx,
      Function<? super Push, ? extends PushDecoder> decoders) {
    measure(ctx, protocol.name());
    new BodyPush(service, workers, protocol, ctx, clients.apply(ctx), tickMillis).run(decoders);
  }

  /**
   * Stores the events of a request while its body is read, and answers. Only their ids identify the
   * events: the identity of the rules must be {@code NONE}, also in a request.
   */
  public void stream(PushProtocol protocol, RoutingContext ctx, StreamDecoder.Opening opening) {
    measure(ctx, protocol.name());
    long retryMillis = Math.max(1, tickMillis / RETRIES_PER_TICK);
    new StreamPush(service, workers, protocol, ctx, clients.apply(ctx), retryMillis).run(opening);
  }

  private void measure(RoutingContext ctx, String protocol) {
    Timer.Sample sample = Timer.start(meters);
    ctx.addEndHandler(
        done ->
            sample.stop(
                Timer.builder("hourglass.ingest.requests")
                    .description("Pushes, from the headers to the end of the answer")
                    .tag("protocol", protocol)
                    .tag("status", Integer.toString(PushProtocol.status(ctx)))
                    .register(meters)));
  }

  private void rejects(RoutingContext ctx) {
    if (!ctx.queryParams().isEmpty()) {
      Map.Entry<String, String> first = ctx.queryParams().entries().get(0);
      ctx.fail(
          new HttpException(
              400,
              "%s: \"%s\" is given, but there is no such parameter; want none"
                  .formatted(first.getKey(), first.getValue())));
      return;
    }
    ctx.json(json(service.rejects()));
  }

  private static JsonObject json(List<Rejects> rejects) {
    return new JsonObject()
        .put("total", rejects.stream().mapToLong(Rejects::count).sum())
        .put("rejects", rejects.stream().map(IngestRoutes::json).toList());
  }

  private static JsonObject json(Rejects.Sample sample) {
    return new JsonObject().put("reason", sample.problem()).put("event", sample.event());
  }

  private static JsonObject json(Rejects rejects) {
    return new JsonObject()
        .put("type", rejects.type())
        .put("reason", rejects.reason().text())
        .put("count", rejects.count())
        .put("last", Ticks.text(rejects.lastTicks()))
        .put("samples", rejects.samples().stream().map(IngestRoutes::json).toList());
  }
}
