package hourglass.query.http;

import hourglass.query.QueryOptions;
import io.vertx.core.Vertx;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at an answer once a second, for as long as it lasts: ends what has run for too long, cuts
 * off who takes nothing, and has little kept for who takes nothing now. Thread-safe, but for {@link
 * #start} and {@link #stop}, which belong to the event loop.
 */
final class ResponseWatch {
  private static final Logger log = LoggerFactory.getLogger(ResponseWatch.class);

  private static final long EVERY_MILLIS = 1000;

  /** What is to be done with an answer; asked on the event loop. */
  interface Watched {
    /** A second has passed: time to look after those that wait for a place. */
    void looked();

    /** It has run for too long. */
    void fail(Throwable cause);

    /** Its client will not take it any more. */
    void cutOff();

    /** Its client takes nothing at the moment. */
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

  /** There is room for more, and it has its place. */
  void run() {
    running.run();
  }

  /** There is room for more, but others have the places. */
  void losePlace() {
    running.losePlace();
  }

  /** There is no room until the client takes something. */
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
