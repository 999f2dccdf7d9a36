package hourglass.http;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.testing.Patience;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class UnreadBodyTest {
  private static final byte[] BODY = new byte[2 << 20];

  /** The memory of a body may be revoked while its last bytes are read. */
  @Test
  void aRefusalAtTheEndOfABodyIsAnswered() throws Exception {
    Vertx vertx = Vertx.vertx();
    try {
      Router router = Router.router(vertx);
      router
          .post("/")
          .handler(ctx -> ctx.request().endHandler(ended -> refuse(ctx)).handler(bytes -> {}));
      HttpServer server =
          vertx
              .createHttpServer()
              .requestHandler(router)
              .listen(0, "127.0.0.1")
              .toCompletionStage()
              .toCompletableFuture()
              .get(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS);
      HttpRequest push =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.actualPort() + "/"))
              .timeout(Patience.LONGEST)
              .POST(BodyPublishers.ofByteArray(BODY))
              .build();
      assertThat(HttpClient.newHttpClient().send(push, BodyHandlers.discarding()).statusCode())
          .isEqualTo(429);
    } finally {
      vertx
          .close()
          .toCompletionStage()
          .toCompletableFuture()
          .get(Patience.LONGEST.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private static void refuse(RoutingContext ctx) {
    UnreadBody.discard(ctx, BODY.length);
    ctx.response().setStatusCode(429).end();
  }
}
