package hourglass.query.loki.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.access.Client;
import hourglass.access.Limits;
import hourglass.access.Quotas;
import hourglass.http.SmallBodies;
import hourglass.query.QueryOptions;
import hourglass.query.http.Failure;
import hourglass.query.http.QueryServer;
import hourglass.query.http.RawAnswer;
import hourglass.store.testkit.OracleStore;
import hourglass.testing.Patience;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Forms that are large, slow, or never complete. */
class LokiFormsTest {
  private static final int PATIENCE_MILLIS = Patience.LONGEST_MILLIS;
  private static final String PATH = "/loki/api/v1/query_range";

  private final List<Socket> sockets = new ArrayList<>();
  private final Vertx vertx = Vertx.vertx();
  private final OracleStore store = new OracleStore();
  private final QueryServer server = new QueryServer(store, QueryOptions.builder().build());

  @AfterEach
  void close() throws Exception {
    for (Socket socket : sockets) {
      socket.close();
    }
    vertx
        .close()
        .toCompletionStage()
        .toCompletableFuture()
        .get(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS);
    server.close();
    store.close();
  }

  private static String head(int length, String... headers) {
    return "POST %s HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n%s\r\n"
        .formatted(PATH, length, String.join("", headers));
  }

  private Socket send(int port, String request) {
    try {
      Socket socket = new Socket("127.0.0.1", port);
      sockets.add(socket);
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(request.getBytes(UTF_8));
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String status(Socket socket) throws IOException {
    return RawAnswer.line(socket.getInputStream());
  }

  private static boolean isAnswered(Socket socket) {
    try {
      return socket.getInputStream().available() > 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void unfinishedFormsOfAClientAreLimited() throws IOException {
    String most = "query=" + "x".repeat(100_000);
    List<Socket> unfinished = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      unfinished.add(send(server.port(), head(140_000) + most));
    }
    int refused = 100 - 64;
    await().until(() -> unfinished.stream().filter(LokiFormsTest::isAnswered).count() == refused);
    for (Socket socket : unfinished) {
      if (isAnswered(socket)) {
        assertThat(status(socket)).isEqualTo("HTTP/1.1 429 Too Many Requests");
      }
    }

    String other = head(5, "Client: other\r\n") + "query"; // unfinished by no byte
    assertThat(status(send(server.port(), other))).isEqualTo("HTTP/1.1 400 Bad Request");
  }

  @Test
  void aLargerFormIsRefusedBeforeItIsSent() throws IOException {
    assertThat(status(send(server.port(), head(200_000))))
        .isEqualTo("HTTP/1.1 413 Request Entity Too Large");
  }

  @Test
  void aTooLargeChunkedFormIsRefused() throws IOException {
    String chunked =
        head(0).replace("Content-Length: 0", "Transfer-Encoding: chunked")
            + "fffff\r\nquery="
            + "x".repeat(160_000);
    assertThat(status(send(server.port(), chunked)))
        .isEqualTo("HTTP/1.1 413 Request Entity Too Large");
  }

  @Test
  void theLongestQueryFitsIntoAForm() {
    String start = "{app=\"c\"} |= \"";
    String query = start + "語".repeat(16_384 - start.length() - 1) + "\"";
    QueryServer.Reply reply = server.post(PATH, "query=" + URLEncoder.encode(query, UTF_8));
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
  }

  @Test
  void parametersBesidesTheQueryAreBounded() {
    QueryServer.Reply reply = server.post(PATH, "query=x&other=" + "y".repeat(30_000));
    assertThat(reply.status()).isEqualTo(413);
    assertThat(reply.body()).isEqualTo("a form of 30011 characters, at most 24576\n");
  }

  /** A server of forms alone. */
  private int listen(LokiForms forms) throws Exception {
    Router router = Router.router(vertx);
    router
        .post(PATH)
        .handler(
            ctx -> forms.read(ctx).onComplete(read -> answer(ctx, read.result(), read.cause())));
    HttpServerOptions options = new HttpServerOptions().setHandle100ContinueAutomatically(false);
    HttpServer listening =
        vertx
            .createHttpServer(options)
            .requestHandler(router)
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .get(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS);
    return listening.actualPort();
  }

  private static void answer(
      RoutingContext ctx, @Nullable MultiMap form, @Nullable Throwable failure) {
    if (failure == null && form != null) {
      ctx.response().end(form.get("query"));
    } else if (!ctx.response().closed()) {
      ctx.response().setStatusCode(Failure.of(failure).status()).end();
    }
  }

  private static Client anyone(RoutingContext ctx) {
    return Client.open("anyone");
  }

  @Test
  void aSlowFormEndsWith408AndFreesItsPlace() throws Exception {
    SmallBodies bodies = new SmallBodies(Duration.ofMillis(200), System::nanoTime);
    int port = listen(new LokiForms(bodies, LokiFormsTest::anyone));
    Socket slow = send(port, head(10) + "query");
    assertThat(status(slow)).isEqualTo("HTTP/1.1 408 Request Timeout");
    assertThat(bodies.size()).isZero();
  }

  @Test
  void aFormOfADisconnectedClientFreesItsPlace() throws Exception {
    SmallBodies bodies = new SmallBodies();
    int port = listen(new LokiForms(bodies, LokiFormsTest::anyone));
    Socket leaving = send(port, head(10) + "query");
    await().until(() -> bodies.size() == 1);
    leaving.close();
    await().until(() -> bodies.size() == 0);
  }

  @Test
  void aSilentFormIsReplacedByAnotherClient() throws Exception {
    AtomicLong nanos = new AtomicLong();
    SmallBodies bodies = new SmallBodies(Duration.ofSeconds(30), nanos::get);
    int port =
        listen(new LokiForms(bodies, ctx -> Client.open(ctx.request().getHeader("X-Client"))));
    List<Socket> silent = new ArrayList<>();
    for (int i = 1; i <= SmallBodies.PLACES; i++) {
      silent.add(send(port, head(7, "X-Client: " + i + "\r\n")));
      int begun = i;
      await().until(() -> bodies.size() == begun);
      nanos.addAndGet(1_000_000);
    }
    String newcomer = head(7, "X-Client: newcomer\r\n") + "query=x";
    assertThat(status(send(port, newcomer))).isEqualTo("HTTP/1.1 429 Too Many Requests");
    nanos.set(1_000_000_000);
    assertThat(status(send(port, newcomer))).isEqualTo("HTTP/1.1 200 OK");
    assertThat(status(silent.get(0))).isEqualTo("HTTP/1.1 429 Too Many Requests");
    assertThat(silent.subList(1, silent.size())).noneMatch(LokiFormsTest::isAnswered);
  }

  @Test
  void aClientAboveItsLimitOfQueriesIsRefusedBeforeItsForm() throws Exception {
    Quotas quotas = new Quotas(new Limits(0, 0, 0, 1, 0, 0), System::nanoTime, limit -> {});
    SmallBodies bodies = new SmallBodies();
    int port = listen(new LokiForms(bodies, ctx -> anyone(ctx).within(quotas)));
    Socket first = send(port, head(7) + "query=");
    await().until(() -> bodies.size() == 1);
    assertThat(status(send(port, head(7)))).isEqualTo("HTTP/1.1 429 Too Many Requests");
    first.getOutputStream().write('x');
    assertThat(status(first)).isEqualTo("HTTP/1.1 200 OK");
    assertThat(status(send(port, head(7) + "query=x"))).isEqualTo("HTTP/1.1 200 OK");
  }

  @Test
  void expectContinueIsAnswered() throws Exception {
    int port = listen(new LokiForms(new SmallBodies(), LokiFormsTest::anyone));
    Socket waiting = send(port, head(7, "Expect: 100-continue\r\n"));
    InputStream answer = waiting.getInputStream();
    assertThat(RawAnswer.line(answer)).isEqualTo("HTTP/1.1 100 Continue");
    assertThat(RawAnswer.line(answer)).isEmpty();
    waiting.getOutputStream().write("query=x".getBytes(UTF_8));
    assertThat(RawAnswer.line(answer)).isEqualTo("HTTP/1.1 200 OK");
  }
}
