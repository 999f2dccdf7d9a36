package hourglass.query.http;

import hourglass.access.Client;
import hourglass.query.QueryOptions;
import hourglass.query.scan.QueryReads;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures the running time of a query, and the stall of its client; waits for a place are neither.
 * Ends queries after their timeout, and when the client's key ends. Cuts off clients that stall too
 * long, and makes stalled queries drop prefetched data. Thread-safe.
 */
final class ResponseWatch {
  private static final Logger logger = LoggerFactory.getLogger(ResponseWatch.class);

  private static final long EVERY_MILLIS = 1000;

  /** The number of checks within a timeout, so that a short one is kept well enough. */
  private static final int CHECKS = 10;

  private final Clock clock;
  private final QueryOptions options;

  /** The time limit that the request gives; 0 if that of the options holds. */
  private final long ownTimeoutMillis;

  private final QueryReads reads;

  /** The running time until the last change of state. Guarded by this, like the next two. */
  private long ranMillis;

  private long sinceMillis;
  private State state = State.RUNNING;

  /** Used by the event loop only; null before the start. */
  private @Nullable Long timer;

  enum State {
    /** A chunk is free, and the place is held. */
    RUNNING,
    /** No chunk is free until the client reads. */
    STALLED,
    /** A chunk is free, but the place is lost. */
    WITHOUT_PLACE
  }

  ResponseWatch(Clock clock, QueryOptions options, long ownTimeoutMillis, QueryReads reads) {
    this.clock = clock;
    this.options = options;
    this.ownTimeoutMillis = ownTimeoutMillis;
    this.reads = reads;
    sinceMillis = clock.millis();
  }

  synchronized void become(State next) {
    if (state != next) {
      ranMillis = ranMillis();
      state = next;
      sinceMillis = clock.millis();
    }
  }

  synchronized long ranMillis() {
    return ranMillis + (state == State.RUNNING ? clock.millis() - sinceMillis : 0);
  }

  /** The time since the client stalled; 0 if there is no stall. */
  synchronized long stalledMillis() {
    return state == State.STALLED ? clock.millis() - sinceMillis : 0;
  }

  /** Watches an answer until {@link #stop}. Call both on the event loop. */
  void start(RoutingContext ctx, Client client, ResponseStream stream) {
    long everyMillis = Math.min(EVERY_MILLIS, Math.max(1, timeoutMillis() / CHECKS));
    timer = ctx.vertx().setPeriodic(everyMillis, id -> check(ctx, client, stream));
  }

  private long timeoutMillis() {
    return ownTimeoutMillis > 0 ? ownTimeoutMillis : options.bounds().timeoutMillis();
  }

  void stop(Vertx vertx) {
    if (timer != null) {
      vertx.cancelTimer(timer);
    }
  }

  private void check(RoutingContext ctx, Client client, ResponseStream stream) {
    stream.checkWaiting();
    long stalledMillis = stalledMillis();
    if (!client.isCurrent().getAsBoolean()) {
      stream.fail(new Failure(401, "the key of this query has ended", 0, "key_ended"));
    } else if (ranMillis() >= timeoutMillis()) {
      stream.fail(
          new Failure(
              503,
              "%s: the query ran for more than %s s, and read %d rows and %d bytes; want a shorter range, fewer types, or a limit"
                  .formatted(
                      ownTimeoutMillis > 0 ? "timeout" : "query.timeout",
                      timeoutMillis() / 1000.0,
                      reads.rows(),
                      reads.bytes()),
              1,
              "timed_out"));
    } else if (stalledMillis >= options.stallTimeoutMillis()) {
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
