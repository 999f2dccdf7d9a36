package hourglass.query.loki.http;

import hourglass.access.Client;
import hourglass.access.Quota;
import hourglass.query.http.Endpoint;
import hourglass.query.http.Failure;
import hourglass.query.http.QueryRunner;
import hourglass.query.http.TailRoutes;
import hourglass.query.line.StreamLabels;
import hourglass.query.loki.LogFilter;
import hourglass.query.tail.TailStart;
import io.vertx.core.Context;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Loki's tail, as a WebSocket. Refusals are sent before the handshake, as far as they are known.
 * The first lines are found in the places of queries. Thread-safe.
 */
final class LokiTail {
  private static final Endpoint ENDPOINT = LokiRoutes.endpoint("tail");

  private final TailRoutes tails;
  private final QueryRunner queries;
  private final StreamLabels labels;
  private final Clock wall;

  LokiTail(TailRoutes tails, QueryRunner queries, StreamLabels labels, Clock wall) {
    this.tails = tails;
    this.queries = queries;
    this.labels = labels;
    this.wall = wall;
  }

  void mount(Router router) {
    router
        .route(ENDPOINT.path())
        .method(HttpMethod.GET)
        .method(HttpMethod.HEAD)
        .handler(this::tail);
  }

  private void tail(RoutingContext ctx) {
    Failure.sendAsText(ctx);
    try {
      LokiParameters parameters = new LokiParameters(ctx.queryParams(), wall);
      boolean isSocket = isHandshake(ctx.request());
      if (isSocket) {
        ctx.request().pause(); // else it would end before the handshake
      }
      queries
          .away(ctx, () -> history(parameters, isSocket))
          .onSuccess(history -> shakeHands(ctx, history))
          .onFailure(
              failure -> {
                tails.refuse(ctx, Failure.of(failure));
                ctx.request().resume();
              });
    } catch (RuntimeException e) {
      tails.refuse(ctx, Failure.of(e));
    }
  }

  /**
   * Whether a request asks for a WebSocket.
   *
   * @throws HttpException if it has a body, which would be kept until the handshake
   */
  private static boolean isHandshake(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    if (length != null && !length.equals("0")
        || request.headers().contains(HttpHeaders.TRANSFER_ENCODING)) {
      throw new HttpException(400, "body: a tail takes none");
    }
    return request.method().equals(HttpMethod.GET)
        && request.version() != HttpVersion.HTTP_2
        && "websocket".equalsIgnoreCase(request.getHeader(HttpHeaders.UPGRADE));
  }

  private LokiHistory history(LokiParameters parameters, boolean isSocket) {
    LogFilter lines = LogFilter.of(parameters.selector(), labels);
    LokiHistory history =
        new LokiHistory(
            lines, parameters.tailStart(), parameters.nowTicks(), parameters.tailLimit());
    if (!isSocket) {
      throw new HttpException(400, "a tail is a WebSocket; want Upgrade: websocket");
    }
    lines.check();
    return history;
  }

  private void shakeHands(RoutingContext ctx, LokiHistory history) {
    try {
      Client client = queries.clients().apply(ctx);
      Quota.Turn turn = client.quota().tail();
      ctx.request()
          .toWebSocket()
          .onSuccess(socket -> begin(ctx, socket, client, turn, history))
          .onFailure(
              failure -> {
                turn.close();
                tails.ended("bad_request");
              });
    } catch (RuntimeException e) {
      tails.refuse(ctx, Failure.of(e));
    }
  }

  private void begin(
      RoutingContext ctx,
      ServerWebSocket socket,
      Client client,
      Quota.Turn turn,
      LokiHistory history) {
    LogSocket connection = new LogSocket(ctx, socket, client.quota());
    Context context = ctx.vertx().getOrCreateContext();
    Failure refusal =
        tails.begin(
            ctx,
            connection,
            client,
            turn,
            lane ->
                tails
                    .service()
                    .begin(
                        history.selection(),
                        client.types(),
                        history.lines(),
                        () -> search(ctx, context, client, lane, history)));
    if (refusal != null) {
      tails.ended(refusal.outcome());
      connection.end(refusal);
    }
  }

  private CompletionStage<TailStart> search(
      RoutingContext ctx,
      Context context,
      Client client,
      TailRoutes.Lane lane,
      LokiHistory history) {
    CompletableFuture<TailStart> start = new CompletableFuture<>();
    if (history.limit() == 0) {
      start.complete(new TailStart(history.askedTicks(), true));
      return start;
    }
    context.runOnContext(
        ignored ->
            queries
                .search(
                    ctx,
                    ENDPOINT,
                    client,
                    lane.gone(),
                    (on, thread) -> history.search(on, queries.clock(), thread))
                .whenComplete(
                    (found, failure) -> {
                      if (failure == null) {
                        start.complete(found);
                      } else {
                        start.completeExceptionally(failure);
                      }
                    }));
    return start;
  }
}
