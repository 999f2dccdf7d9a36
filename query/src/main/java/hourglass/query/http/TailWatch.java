package hourglass.query.http;

import hourglass.access.Client;
import hourglass.query.tail.TailOptions;
import io.vertx.core.Vertx;
import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures how long the client of a tail takes for a chunk, and how long the tail has sent nothing.
 * Makes a silent tail beat and a stalled one rest. Ends tails when the client's key ends, and when
 * the client stalls too long. Thread-safe.
 */
final class TailWatch {
  private static final Logger logger = LoggerFactory.getLogger(TailWatch.class);

  private static final long EVERY_MILLIS = 1000;

  private final Clock clock;
  private final Client client;
  private final long heartbeatMillis;
  private final long stallTimeoutMillis;

  /** When the sending of the chunk began; 0 if it is not being sent. */
  private volatile long sendingSinceMillis;

  private volatile long sentMillis;

  /** Checks everything; null before the start. Used by the event loop only. */
  private @Nullable Long timer;

  /** The tail that is watched. All methods are called on the event loop. */
  interface Watched {
    /** Shows the client that the connection lives. */
    void ping();

    /** Sends a heartbeat, unless there is an event to send. */
    void beat();

    /** Drops the events that wait for the client. */
    void rest();

    /** Ends the tail after all that it has sent. */
    void end(Failure failure);

    /** Ends the tail without waiting for its client. */
    void cut(Failure failure);
  }

  TailWatch(Clock clock, Client client, TailOptions options, long stallTimeoutMillis) {
    this.clock = clock;
    this.client = client;
    this.heartbeatMillis = options.heartbeatMillis();
    this.stallTimeoutMillis = stallTimeoutMillis;
  }

  /** Notes that the tail sends a chunk. */
  void sending() {
    sendingSinceMillis = Math.max(1, clock.millis());
  }

  /** Notes that the chunk was sent. */
  void sent() {
    sentMillis = clock.millis();
    sendingSinceMillis = 0;
  }

  boolean isSending() {
    return sendingSinceMillis != 0;
  }

  /** Whether the client has taken nothing for as long as the time between two checks. */
  boolean isStalled() {
    return clock.millis() - idleSince() >= EVERY_MILLIS;
  }

  /** The time since which the client reads nothing, in milliseconds; now if it reads. */
  long idleSince() {
    long since = sendingSinceMillis;
    return since == 0 ? clock.millis() : since;
  }

  /** Watches a tail until {@link #stop}. Call both on the event loop. */
  void start(Vertx vertx, @Nullable String requestId, Watched tail) {
    timer = vertx.setPeriodic(EVERY_MILLIS, id -> check(requestId, tail));
  }

  void stop(Vertx vertx) {
    if (timer != null) {
      vertx.cancelTimer(timer);
    }
  }

  private void check(@Nullable String requestId, Watched tail) {
    if (!client.isCurrent().getAsBoolean()) {
      tail.end(new Failure(401, "the key of this tail has ended", 0, "key_ended"));
      return;
    }
    long now = clock.millis();
    long since = sendingSinceMillis;
    if (since == 0) {
      tail.ping();
      if (now - sentMillis >= heartbeatMillis) {
        tail.beat();
      }
    } else if (now - since >= stallTimeoutMillis) {
      logger.info("the client of tail {} took nothing for {} ms; cut off", requestId, now - since);
      tail.cut(new Failure(503, "the client took nothing", 0, "stalled"));
    } else {
      tail.rest();
    }
  }
}
