package hourglass.query.http;

import hourglass.access.Client;
import hourglass.access.DaemonThreads;
import hourglass.access.FairExecutor;
import hourglass.access.RequestId;
import hourglass.access.TypePatterns;
import hourglass.query.QueryOptions;
import hourglass.query.erasure.DryRuns;
import hourglass.query.erasure.ErasureService;
import hourglass.query.erasure.http.ErasureReport;
import hourglass.query.erasure.http.ErasureRoutes;
import hourglass.query.line.StreamLabels;
import hourglass.query.loki.http.LokiDeleteRoutes;
import hourglass.query.loki.http.LokiRoutes;
import hourglass.query.tail.TailOptions;
import hourglass.store.WideColumnStore;
import hourglass.store.erasure.ErasingStore;
import hourglass.testing.Patience;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.awaitility.Awaitility;

/** The query routes behind a real server, and a client to ask them. */
public final class QueryServer implements AutoCloseable {

  public record Reply(
      int status, TreeMap<String, String> headers, String body, TreeMap<String, String> trailers) {}

  /** Options of the program, but fewer tails, and earlier progress and heartbeats. */
  public static final TailOptions TAILS =
      new TailOptions(4, 5, 100, 64 << 10, 8, 60_000, 500, 16 << 10);

  /** Stream labels with one configured label. */
  public static final StreamLabels LABELS = new StreamLabels(List.of("http.host"));

  public final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final Vertx vertx = Vertx.vertx();
  private final AtomicInteger tasks = new AtomicInteger();
  private final ThreadPoolExecutor executor =
      new ThreadPoolExecutor(2, 2, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>()) {
        @Override
        public void execute(Runnable task) {
          tasks.incrementAndGet();
          super.execute(task);
        }
      };
  private final ThreadPoolExecutor waiting =
      new ThreadPoolExecutor(
          0, 1_000, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), new DaemonThreads("loop")) {
        @Override
        public void execute(Runnable task) {
          tasks.incrementAndGet();
          super.execute(task);
        }
      };
  private final Queue<Object> endedForOthers = new ConcurrentLinkedQueue<>();
  private final Queue<ErasureReport> erasureReports = new ConcurrentLinkedQueue<>();
  private final TailRoutes tails;
  private final HttpServer server;
  private volatile boolean areKeysCurrent = true;
  private final HttpClient client = vertx.createHttpClient();

  public QueryServer(WideColumnStore store, QueryOptions options) {
    this(store, options, Clock.systemUTC());
  }

  public QueryServer(WideColumnStore store, QueryOptions options, Clock clock) {
    Router router = Router.router(vertx);
    router.route().handler(QueryServer::name);
    FairExecutor threads = new FairExecutor(executor, 4, System::nanoTime);
    QueryRoutes queries =
        new QueryRoutes(
            store, options, clock, clock, meters, threads, waiting, null, this::clientOf);
    queries.mount(router);
    new RunningQueryRoutes(
            queries.runner(),
            QueryServer::isOperator,
            (ctx, other) -> endedForOthers.add(other.share()))
        .mount(router);
    tails =
        new TailRoutes(
            queries, store, options, TAILS, clock, meters, threads, waiting, this::clientOf);
    tails.mount(router);
    new LokiRoutes(queries.runner(), tails, LABELS, clock).mount(router);
    if (store instanceof ErasingStore erasing) {
      ErasureService erasures = new ErasureService(erasing, clock, clock);
      new ErasureRoutes(queries.runner(), erasures, new DryRuns(clock), ctx -> erasureReports::add)
          .mount(router);
      new LokiDeleteRoutes(queries.runner(), erasures, LABELS, clock, ctx -> erasureReports::add)
          .mount(router);
    }
    router.route().failureHandler(QueryServer::problem);
    server = await(vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1"));
  }

  /** Gives a request the id that its client has chosen, as the gate does. */
  private static void name(RoutingContext ctx) {
    String id = ctx.request().getHeader(RequestId.HEADER);
    if (id != null) {
      ctx.response().putHeader(RequestId.HEADER, id);
    }
    ctx.next();
  }

  /** Whether a request may see and end the queries of all clients. */
  private static boolean isOperator(RoutingContext ctx) {
    return "operator".equals(ctx.request().getHeader("Client"));
  }

  /** The client that a request gives as its own, and the types that it may see. */
  private Client clientOf(RoutingContext ctx) {
    String named = ctx.request().getHeader("Client");
    Client client =
        Client.open(named == null ? ctx.request().remoteAddress().hostAddress() : named);
    String types = ctx.request().getHeader("Types");
    return types == null
        ? client
        : new Client(
            client.share(),
            null,
            TypePatterns.of(List.of(types.split(",", -1))),
            client.limits(),
            () -> areKeysCurrent);
  }

  /** Renders a refusal like the program, in short. */
  private static void problem(RoutingContext ctx) {
    int status = ctx.statusCode();
    String detail =
        ctx.failure() instanceof HttpException refused ? refused.getPayload() : "" + ctx.failure();
    ctx.response().setStatusCode(status).end(detail);
  }

  /** Ends the keys of all clients that may see only some types. */
  public void endKeys() {
    areKeysCurrent = false;
  }

  /** Given to threads of queries so far. */
  public int tasks() {
    return tasks.get();
  }

  public int port() {
    return server.actualPort();
  }

  public Reply get(String path, String... headers) {
    return ask(HttpMethod.GET, path, headers);
  }

  /** Sends a form. */
  public Reply post(String path, String form) {
    Promise<Reply> reply = Promise.promise();
    vertx.runOnContext(
        ignored ->
            client
                .request(HttpMethod.POST, port(), "127.0.0.1", path)
                .compose(
                    request ->
                        request
                            .putHeader("Content-Type", "application/x-www-form-urlencoded")
                            .send(form))
                .compose(QueryServer::read)
                .onComplete(reply));
    return await(reply.future());
  }

  /** Sends a body of JSON. */
  public Reply postJson(String path, String json, String... headers) {
    return ask(HttpMethod.POST, path, Buffer.buffer(json), headers);
  }

  public Reply head(String path) {
    return ask(HttpMethod.HEAD, path);
  }

  public Reply delete(String path, String... headers) {
    return ask(HttpMethod.DELETE, path, headers);
  }

  private Reply ask(HttpMethod method, String path, String... headers) {
    return ask(method, path, Buffer.buffer(), headers);
  }

  private Reply ask(HttpMethod method, String path, Buffer body, String... headers) {
    Promise<Reply> reply = Promise.promise();
    // On one event loop, so that no part of an answer arrives before its handler.
    vertx.runOnContext(ignored -> send(method, path, body, headers).onComplete(reply));
    return await(reply.future());
  }

  private Future<Reply> send(HttpMethod method, String path, Buffer body, String... headers) {
    return client
        .request(method, port(), "127.0.0.1", path)
        .compose(
            request -> {
              for (int i = 0; i < headers.length; i += 2) {
                request.putHeader(headers[i], headers[i + 1]);
              }
              return body.length() == 0 ? request.send() : request.send(body);
            })
        .compose(QueryServer::read);
  }

  private static Future<Reply> read(HttpClientResponse response) {
    return response
        .body()
        .map(
            body ->
                new Reply(
                    response.statusCode(),
                    map(response.headers()),
                    body.toString(),
                    map(response.trailers())));
  }

  private static TreeMap<String, String> map(MultiMap from) {
    TreeMap<String, String> map = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    from.forEach(map::put);
    return map;
  }

  /** Waits until an answer rests, and the server has read nothing more for two seconds. */
  public void awaitStandstill(IntSupplier reads) {
    AtomicInteger before = new AtomicInteger(-1);
    Awaitility.await()
        .pollInterval(Duration.ofSeconds(2))
        .until(() -> before.getAndSet(reads.getAsInt()) == reads.getAsInt() && resting() == 1);
  }

  /** The requests to erase so far, as the audit file would have them. */
  public List<ErasureReport> erasureReports() {
    return List.copyOf(erasureReports);
  }

  /** The clients whose queries others have ended. */
  List<Object> endedForOthers() {
    return List.copyOf(endedForOthers);
  }

  List<String> lines(String path) {
    return get(path).body().lines().toList();
  }

  double running() {
    return meters.get("hourglass.query.running").gauge().value();
  }

  double waiting() {
    return meters.get("hourglass.query.waiting").gauge().value();
  }

  double resting() {
    return meters.get("hourglass.query.resting").gauge().value();
  }

  public boolean isAtWork() {
    return executor.getActiveCount() > 0
        || !executor.getQueue().isEmpty()
        || waiting.getActiveCount() > 0;
  }

  /** Waits until no query runs, and one has ended with this outcome. */
  public void awaitOutcome(String outcome) {
    Awaitility.await()
        .until(
            () ->
                running() == 0
                    && meters.find("hourglass.query").tag("outcome", outcome).timer() != null);
  }

  /** Ends all tails, as the program does before it closes its port. */
  public void endTails() {
    tails.close();
  }

  private static <T> T await(Future<T> future) {
    try {
      return future
          .toCompletionStage()
          .toCompletableFuture()
          .get(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    tails.close();
    await(vertx.close());
    executor.shutdownNow();
    waiting.shutdownNow();
  }
}
