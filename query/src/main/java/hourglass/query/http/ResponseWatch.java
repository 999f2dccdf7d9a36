package hourglass.query.http;

import hourglass.access.Client;
import hourglass.query.QueryOptions;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends queries after their timeout, and when the client's key ends. Cuts off clients that stall too
 * long. Makes stalled queries drop prefetched data. Belongs to the event loop.
 */
final class ResponseWatch {
  private static final Logger logger = LoggerFactory.getLogger(ResponseWatch.class);

  private static final long EVERY_MILLIS = 1000;

  private final RoutingContext ctx;
  private final Vertx vertx;
  private final ResponseStream stream;
  private final RunClock running;
  private final Client client;
  private final long timeoutMillis;
  private final long stallTimeoutMillis;
  private @Nullable Long timer;

  ResponseWatch(
      RoutingContext ctx,
      QueryOptions options,
      RunClock running,
      Client client,
      ResponseStream stream) {
    this.ctx = ctx;
    vertx = ctx.vertx();
    this.stream = stream;
    this.running = running;
    this.client = client;
    timeoutMillis = options.bounds().timeoutMillis();
    stallTimeoutMillis = options.stallTimeoutMillis();
  }

  void start() {
    timer = vertx.setPeriodic(Math.min(EVERY_MILLIS, timeoutMillis), id -> check());
  }

  void stop() {
    if (timer != null) {
      vertx.cancelTimer(timer);
    }
  }

  private void check() {
    stream.checkWaiting();
    long stalledMillis = running.stalledMillis();
    if (!client.isCurrent().getAsBoolean()) {
      stream.fail(new Failure(401, "the key of this query has ended", 0, "key_ended"));
    } else if (running.ranMillis() >= timeoutMillis) {
      stream.fail(
          new Failure(
              503,
              "query.timeout: the query ran for more than %s s; want a shorter range, fewer types, or a limit"
                  .formatted(timeoutMillis / 1000.0),
              1,
              "timed_out"));
    } else if (stalledMillis >= stallTimeoutMillis) {
      logger.info(
          "the client of query {} took nothing of its answer for {} ms; cut off",
          AnswerHead.requestId(ctx),
          stalledMillis);
      stream.cut("stalled");
    } else if (stalledMillis >= EVERY_MILLIS) {
      stream.holdLittle();
    }
  }
}
