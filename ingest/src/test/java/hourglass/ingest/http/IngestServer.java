package hourglass.ingest.http;

import hourglass.access.Client;
import hourglass.access.FairExecutor;
import hourglass.access.LimitExceededException;
import hourglass.access.Limits;
import hourglass.access.Quotas;
import hourglass.bucketing.FixedShards;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.ingest.service.FakeStore;
import hourglass.ingest.service.IngestOptions;
import hourglass.ingest.service.IngestService;
import hourglass.store.Retention;
import hourglass.testing.Patience;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.io.IOException;
import java.net.Socket;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** The routes on a real server, in front of a fake store. */
public final class IngestServer implements AutoCloseable {
  public static final int MAX_BODY_BYTES = 1 << 20;
  static final long MAX_IN_FLIGHT_BYTES = IngestOptions.inFlightBytesMin(MAX_BODY_BYTES);
  static final IngestOptions OPTIONS =
      new IngestOptions(
          Retention.FOREVER,
          Duration.ofMinutes(10),
          1 << 16,
          MAX_BODY_BYTES,
          MAX_IN_FLIGHT_BYTES,
          64,
          100,
          Retention.DEFAULTS);

  public final FakeStore store = new FakeStore();
  public final IngestService service;
  final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final Vertx vertx = Vertx.vertx();
  private final ExecutorService workers = Executors.newFixedThreadPool(2);
  private final HttpServer server;
  private volatile Quotas quotas = new Quotas(Limits.NONE, System::nanoTime, limit -> {});

  /** Starts a server with the routes of protocols. */
  public IngestServer(PushProtocol... protocols) {
    this(5_000, protocols);
  }

  public IngestServer(long tickMillis, PushProtocol... protocols) {
    this(tickMillis, false, protocols);
  }

  /** Speaks HTTP/2 with prior knowledge too. */
  public static IngestServer withHttp2(PushProtocol... protocols) {
    return new IngestServer(5_000, true, protocols);
  }

  private IngestServer(long tickMillis, boolean speaksHttp2, PushProtocol... protocols) {
    service =
        new IngestService(
            store,
            new FixedShards(1, Map.of()),
            PlannerOptions.DEFAULTS,
            new TimeUuidGenerator(Clock.systemUTC()),
            OPTIONS,
            FairExecutor.over(workers),
            meters);
    Router router = Router.router(vertx);
    new IngestRoutes(
            service,
            PushRules.DEFAULTS,
            List.of(protocols),
            FairExecutor.over(workers),
            meters,
            this::clientOf,
            tickMillis)
        .mount(router);
    router.route().failureHandler(IngestServer::problem);
    server =
        vertx
            .createHttpServer(
                IngestRoutes.prepare(new HttpServerOptions().setHost("127.0.0.1").setPort(0))
                    .setHttp2ClearTextEnabled(speaksHttp2))
            .requestHandler(router)
            .listen()
            .toCompletionStage()
            .toCompletableFuture()
            .orTimeout(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS)
            .join();
  }

  /** Limits all clients from now on. */
  public void limit(Quotas limits) {
    quotas = limits;
  }

  private Client clientOf(RoutingContext ctx) {
    String named = ctx.request().getHeader("Client");
    return Client.open(named == null ? "" : named).within(quotas);
  }

  private static void problem(RoutingContext ctx) {
    int status = ctx.statusCode() < 0 ? 500 : ctx.statusCode();
    String detail = ctx.failure() instanceof HttpException known ? known.getPayload() : "";
    if (ctx.failure() instanceof LimitExceededException limit) {
      status = 429;
      detail = limit.getMessage();
    }
    ctx.response()
        .setStatusCode(status)
        .putHeader("Content-Type", "application/problem+json")
        .end(new JsonObject().put("status", status).put("detail", detail).encode());
  }

  public int port() {
    return server.actualPort();
  }

  public String url(String path) {
    return "http://127.0.0.1:" + port() + path;
  }

  public Socket socket() throws IOException {
    Socket socket = new Socket("127.0.0.1", port());
    socket.setSoTimeout(Patience.LONGEST_MILLIS);
    return socket;
  }

  @Override
  public void close() {
    vertx
        .close()
        .toCompletionStage()
        .toCompletableFuture()
        .orTimeout(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS)
        .join();
    workers.shutdownNow();
  }
}
