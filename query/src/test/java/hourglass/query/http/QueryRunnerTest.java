package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.access.Client;
import hourglass.access.FairExecutor;
import hourglass.query.QueryOptions;
import hourglass.store.testkit.OracleStore;
import hourglass.testing.Patience;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.net.Socket;
import java.time.Clock;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A query that cannot begin leaves nothing. */
class QueryRunnerTest {
  private final Vertx vertx = Vertx.vertx();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final OracleStore store = new OracleStore();
  private final ExecutorService work = Executors.newFixedThreadPool(1);
  private final AtomicInteger threads = new AtomicInteger();
  private final QueryRoutes routes =
      new QueryRoutes(
          store,
          QueryOptions.DEFAULTS,
          Clock.systemUTC(),
          Clock.systemUTC(),
          meters,
          new FairExecutor(work, 4, System::nanoTime),
          task -> refuseThread(),
          null,
          ctx -> Client.open("ada"));

  private void refuseThread() {
    threads.incrementAndGet();
    throw new OutOfMemoryError("unable to create native thread");
  }

  @AfterEach
  void close() throws Exception {
    vertx
        .close()
        .toCompletionStage()
        .toCompletableFuture()
        .get(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS);
    work.shutdownNow();
    store.close();
  }

  private int listen(Router router) throws Exception {
    return vertx
        .createHttpServer()
        .requestHandler(router)
        .listen(0, "127.0.0.1")
        .toCompletionStage()
        .toCompletableFuture()
        .get(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS)
        .actualPort();
  }

  private Timer awaitOutcome(String outcome) {
    await().until(() -> meters.find("hourglass.query").tag("outcome", outcome).timer() != null);
    return meters.get("hourglass.query").tag("outcome", outcome).timer();
  }

  private void assertNothingIsHeld() {
    assertThat(meters.get("hourglass.query.running").gauge().value()).isZero();
    assertThat(routes.runner().limiter().running().all()).isEmpty();
  }

  @Test
  void aQueryOfAClientThatIsGoneNeverBegins() throws Exception {
    Router router = Router.router(vertx);
    router.route().handler(ctx -> ctx.response().closeHandler(closed -> ctx.next()));
    routes.mount(router);
    try (Socket socket = new Socket("127.0.0.1", listen(router))) {
      RawAnswer.send(socket, "/api/v1/events");
    }
    assertThat(awaitOutcome("cancelled").count()).isEqualTo(1);
    assertThat(threads).hasValue(0);
    assertNothingIsHeld();
  }

  @Test
  void aQueryWithoutAThreadFreesItsPlace() throws Exception {
    Router router = Router.router(vertx);
    routes.mount(router);
    int port = listen(router);
    assertThat(RawAnswer.ask(port, "/api/v1/events").status()).contains(" 500 ");
    assertThat(awaitOutcome("error").count()).isEqualTo(1);
    assertThat(threads).hasValue(1);
    assertNothingIsHeld();
  }

  @Test
  void aSearchWithoutAThreadFreesItsPlace() throws Exception {
    Router router = Router.router(vertx);
    router.route().handler(this::search);
    assertThat(RawAnswer.ask(listen(router), "/").status()).contains(" 500 ");
    assertThat(awaitOutcome("error").count()).isEqualTo(1);
    assertThat(threads).hasValue(1);
    assertNothingIsHeld();
  }

  private void search(RoutingContext ctx) {
    var unused =
        routes
            .runner()
            .search(ctx, Endpoint.TAIL, Client.open("ada"), () -> false, (on, thread) -> "found")
            .whenComplete((found, failure) -> ctx.response().setStatusCode(500).end());
  }
}
