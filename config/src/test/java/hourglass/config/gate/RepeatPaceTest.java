package hourglass.config.gate;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.access.Client;
import hourglass.testing.Patience;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RepeatPaceTest {
  private static final long NEVER_MILLIS = TimeUnit.DAYS.toMillis(1);
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final Vertx vertx = Vertx.vertx();
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 10);
  private HttpServer server;

  private void start(long pauseMillis) {
    Router router = Router.router(vertx);
    new RepeatPace(RepeatPaceTest::client, nanos::get, pauseMillis).mount(router);
    router.route("/full/*").handler(RepeatPaceTest::refuse);
    router.route("/bad").handler(ctx -> ctx.response().setStatusCode(400).end());
    server = vertx.createHttpServer().requestHandler(router).listen(0, "127.0.0.1").await();
  }

  @AfterEach
  void stop() {
    vertx.close().await();
  }

  private static Client client(RoutingContext ctx) {
    return Client.open(ctx.request().getHeader("Client"));
  }

  /** Answers with the length of the body, to show that none of it was lost. */
  private static void refuse(RoutingContext ctx) {
    ctx.request()
        .body()
        .onSuccess(body -> ctx.response().setStatusCode(429).end("" + body.length()));
  }

  private CompletableFuture<HttpResponse<String>> send(
      String client, String method, String path, String body) {
    URI uri = URI.create("http://127.0.0.1:" + server.actualPort() + path);
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .header("Client", client)
            .build();
    return HTTP.sendAsync(request, BodyHandlers.ofString());
  }

  private void assertAnswered(String client, String method, String path) throws Exception {
    assertThat(send(client, method, path, "").get(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS))
        .isNotNull();
  }

  @Test
  void aRepeatWaitsAndKeepsItsBody() throws Exception {
    long pauseMillis = 100;
    start(pauseMillis);
    assertAnswered("a", "POST", "/full/push");
    long began = System.nanoTime();
    String body = "x".repeat(1_000_000);
    assertThat(send("a", "POST", "/full/push", body).get().body()).isEqualTo("1000000");
    assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(pauseMillis * 1_000_000);
  }

  @Test
  void onlyTheSameRequestOfTheSameClientWaits() throws Exception {
    start(NEVER_MILLIS);
    assertAnswered("a", "GET", "/full/query");
    CompletableFuture<HttpResponse<String>> repeat = send("a", "GET", "/full/query", "");
    assertAnswered("a", "GET", "/full/other");
    assertAnswered("a", "POST", "/full/query");
    assertAnswered("b", "GET", "/full/query");
    assertThat(repeat).isNotDone();
  }

  @Test
  void aRepeatAfterASecondDoesNotWait() throws Exception {
    start(NEVER_MILLIS);
    assertAnswered("a", "GET", "/full/query");
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    assertAnswered("a", "GET", "/full/query");
  }

  @Test
  void clientErrorsDoNotDelayTheNextRequest() throws Exception {
    start(NEVER_MILLIS);
    assertAnswered("a", "GET", "/bad");
    assertAnswered("a", "GET", "/bad");
  }
}
