package hourglass.query.http;

import hourglass.access.Client;
import hourglass.query.QueryOptions;
import hourglass.query.scan.QueryReads;
import hourglass.query.scan.RowDeadline;
import io.vertx.core.Vertx;
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

  private final Clock clock;
  private final QueryOptions options;

  private final TimeLimit own;
  private final QueryReads reads;

  /** The running time until the last change of state. Guarded by this, like the next two. */
  private long ranMillis;

  private long sinceMillis;
  private State state = State.RUNNING;

  // Used by the event loop only:
  /** Checks everything; null before the start. */
  private @Nullable Long timer;

  /** Checks the timeout when it should have passed; null while that is far or time stands still. */
  private @Nullable Long timeoutTimer;

  enum State {
    /** A chunk is free, and the place is held. */
    RUNNING,
    /** No chunk is free until the client reads. */
    STALLED,
    /** A chunk is free, but the place is lost. */
    WITHOUT_PLACE
  }

  /** The answer that is watched. All methods are called on the event loop. */
  interface Answer {
    /** Checks the queries that wait for a place, since a query that works may have to yield. */
    void checkWaiting();

    /** Sends an error, or breaks a body that has begun. */
    boolean fail(Failure failure);

    /** Breaks the answer to a client that reads too slowly. */
    void cut(String outcome);

    /** Drops data that was read ahead. */
    void holdLittle();
  }

  ResponseWatch(Clock clock, QueryOptions options, TimeLimit own, QueryReads reads) {
    this.clock = clock;
    this.options = options;
    this.own = own;
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
  void start(Vertx vertx, Client client, @Nullable String requestId, Answer answer) {
    timer =
        vertx.setPeriodic(
            EVERY_MILLIS,
            id -> {
              check(client, requestId, answer);
              awaitTimeout(vertx, answer);
            });
    awaitTimeout(vertx, answer);
  }

  /**
   * Sets a timer for the rest of the timeout if it may pass before the next check. Time that stands
   * still needs none: the check after it continues sets one.
   */
  private void awaitTimeout(Vertx vertx, Answer answer) {
    long leftMillis = timeoutMillis() - ranMillis();
    if (timeoutTimer == null && timer != null && isRunning() && leftMillis <= EVERY_MILLIS) {
      timeoutTimer =
          vertx.setTimer(
              Math.max(1, leftMillis),
              id -> {
                timeoutTimer = null;
                if (!failIfLate(answer)) {
                  awaitTimeout(vertx, answer);
                }
              });
    }
  }

  private synchronized boolean isRunning() {
    return state == State.RUNNING;
  }

  private boolean hasOwnTimeout() {
    return own.isAhead(options.bounds().timeoutMillis());
  }

  private long timeoutMillis() {
    return hasOwnTimeout() ? own.millis() : options.bounds().timeoutMillis();
  }

  void stop(Vertx vertx) {
    if (timer != null) {
      vertx.cancelTimer(timer);
      timer = null;
    }
    if (timeoutTimer != null) {
      vertx.cancelTimer(timeoutTimer);
      timeoutTimer = null;
    }
  }

  private void check(Client client, @Nullable String requestId, Answer answer) {
    answer.checkWaiting();
    long stalledMillis = stalledMillis();
    if (!client.isCurrent().getAsBoolean()) {
      answer.fail(new Failure(401, "the key of this query has ended", 0, "key_ended"));
    } else if (failIfLate(answer)) {
      return;
    } else if (stalledMillis >= options.stallTimeoutMillis()) {
      logger.info(
          "the client of query {} took nothing of its answer for {} ms; cut off",
          requestId,
          stalledMillis);
      answer.cut("stalled");
    } else if (stalledMillis >= EVERY_MILLIS) {
      answer.holdLittle();
    }
  }

  /**
   * Ends the query after its timeout, or its reads of rows if the answer may be a partial one.
   * Returns whether it has failed.
   */
  private boolean failIfLate(Answer answer) {
    if (ranMillis() < timeoutMillis()) {
      return false;
    }
    RowDeadline rows = own.rows();
    if (hasOwnTimeout() && rows != null) {
      rows.pass();
      return false;
    }
    answer.fail(
        new Failure(
            503,
            "%s: the query ran for more than %s s, and read %d rows and %d bytes; want a shorter range, fewer types, or a limit"
                .formatted(
                    hasOwnTimeout() ? "timeout" : "query.timeout",
                    timeoutMillis() / 1000.0,
                    reads.rows(),
                    reads.bytes()),
            1,
            hasOwnTimeout() ? "own_timeout" : "timed_out"));
    return true;
  }
}
