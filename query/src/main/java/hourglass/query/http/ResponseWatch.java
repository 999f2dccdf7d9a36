package hourglass.query.http;

import hourglass.query.QueryOptions;
import io.vertx.core.Vertx;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks a running answer once a second. It ends a query that exceeds its timeout and cuts off a
 * client that has stalled too long. An answer whose client is stalled drops its prefetched data.
 * Thread-safe, except {@link #start} and {@link #stop}, which belong to the event loop.
 */
final class ResponseWatch {
  private static final Logger log = LoggerFactory.getLogger(ResponseWatch.class);

  private static final long EVERY_MILLIS = 1000;

  /** An answer under watch. Called on the event loop. */
  interface Watched {
    /** A second has passed: time to check the queries that wait for a place. */
    void looked();

    /** The query exceeded its timeout. */
    void fail(Throwable cause);

    /** The client has stalled for longer than allowed. */
    void cutOff();

    /** The client reads nothing at the moment. */
    void holdLittle();
  }

  private final Vertx vertx;
  private final Watched watched;
  private final RunClock running;
  private final long timeoutMillis;
  private final long stallTimeoutMillis;
  private @Nullable Long timer;

  ResponseWatch(Vertx vertx, QueryOptions options, Clock clock, Watched watched) {
    this.vertx = vertx;
    this.watched = watched;
    running = new RunClock(clock);
    timeoutMillis = options.bounds().timeoutMillis();
    stallTimeoutMillis = options.stallTimeoutMillis();
  }

  void start() {
    timer = vertx.setPeriodic(Math.min(EVERY_MILLIS, timeoutMillis), id -> look());
  }

  void stop() {
    if (timer != null) {
      vertx.cancelTimer(timer);
    }
  }

  /** A chunk is free, and the query has its place. */
  void run() {
    running.run();
  }

  /** A chunk is free, but the query lost its place. */
  void losePlace() {
    running.losePlace();
  }

  /** No chunk is free until the client reads. */
  void stall() {
    running.stall();
  }

  private void look() {
    watched.looked();
    long stalledMillis = running.stalledMillis();
    if (running.ranMillis() >= timeoutMillis) {
      watched.fail(new QueryTimeoutException(timeoutMillis));
    } else if (stalledMillis >= stallTimeoutMillis) {
      log.info("a client took nothing of its answer for {} ms; cut off", stalledMillis);
      watched.cutOff();
    } else if (stalledMillis >= EVERY_MILLIS) {
      watched.holdLittle();
    }
  }
}
