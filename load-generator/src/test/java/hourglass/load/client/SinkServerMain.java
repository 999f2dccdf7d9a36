package hourglass.load.client;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;

/** Reads every body and answers as the ingest does, so that the cost is the client's. */
final class SinkServerMain {
  private SinkServerMain() {}

  public static void main(String[] args) {
    Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    vertx
        .createHttpServer(new HttpServerOptions().setHost("127.0.0.1"))
        .requestHandler(
            request ->
                request
                    .handler(buffer -> {})
                    .endHandler(
                        end ->
                            request
                                .response()
                                .end("{\"accepted\":5000,\"rejected\":0,\"errors\":[]}")))
        .listen(0)
        .onSuccess(server -> System.out.println("ready http://127.0.0.1:" + server.actualPort()));
  }
}
