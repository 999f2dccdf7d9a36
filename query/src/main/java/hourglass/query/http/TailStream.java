package hourglass.query.http;

import hourglass.access.Client;
import hourglass.query.Chunk;
import hourglass.query.fair.SerialTask;
import hourglass.query.tail.Tail;
import hourglass.query.tail.TailQuery;
import hourglass.query.tail.TailService;
import io.vertx.core.Context;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Pumps a {@link Tail} into a response. A stalled client costs one chunk and its tail. */
final class TailStream {
  private static final Logger logger = LoggerFactory.getLogger(TailStream.class);

  private static final long WATCH_MILLIS = 1000;

  private static final String CROWDED_OUT =
      "all tails are taken, most of them from this address, and another client wants one";

  /** Without an id, so that the client reconnects with the last id that it received. */
  private static final String CROWDED_OUT_EVENT =
      ("retry: 10000\nevent: crowded_out\ndata: {\"type\":\"about:blank\",\"title\":\"Too Many Requests\","
              + "\"status\":429,\"detail\":\"%s\"}\n\n")
          .formatted(CROWDED_OUT);

  private final RoutingContext ctx;
  private final HttpServerResponse response;
  private final Context context;
  private final TailService service;
  private final TailQuery query;
  private final Client client;
  private final long stallTimeoutMillis;
  private final Clock clock;
  private final SerialTask turns;
  private final ResponseWriter writer;
  private final BiConsumer<TailStream, String> onEnd;
  private final AtomicBoolean ended = new AtomicBoolean();
  private final Chunk chunk;

  private volatile @Nullable Tail tail;

  /** Zero: no chunk is being sent. */
  private volatile long sendingSinceMillis;

  private volatile boolean isDueToRest;
  private volatile boolean isDueToBeat;
  private volatile long sentMillis;

  /** Used by the event loop only. */
  private @Nullable Long watch;

  TailStream(
      RoutingContext ctx,
      TailService service,
      TailQuery query,
      Client client,
      long stallTimeoutMillis,
      Clock clock,
      Executor executor,
      BiConsumer<TailStream, String> onEnd) {
    this.ctx = ctx;
    this.service = service;
    this.query = query;
    this.client = client;
    this.stallTimeoutMillis = stallTimeoutMillis;
    this.clock = clock;
    this.onEnd = onEnd;
    this.chunk = new Chunk(service.options().chunkBytes());
    turns = new SerialTask(executor, this::turn, this::fail);
    response = ctx.response();
    context = ctx.vertx().getOrCreateContext();
    writer =
        new ResponseWriter(
            ctx,
            context,
            AnswerHead.TAIL,
            client.quota(),
            ended::get,
            this::written,
            whole -> end("cancelled"));
  }

  /** Call it on the event loop. */
  void start() {
    response.closeHandler(closed -> end("cancelled"));
    response.exceptionHandler(failure -> end("cancelled"));
    turns.wake();
  }

  private void turn() {
    Tail running = tail;
    if (ended.get()) {
      return;
    }
    if (running == null) {
      begin();
      return;
    }
    if (isDueToRest) {
      isDueToRest = false;
      running.rest();
    }
    if (sendingSinceMillis != 0) {
      return; // the callback of that write starts another turn
    }
    switch (running.fill(chunk)) {
      case FULL -> send();
      case PAUSED -> {
        send();
        turns.wake();
      }
      case WAITING -> {
        beatIfDue(running);
        send();
        running.whenReady(turns::wake);
      }
      case DONE, ENOUGH -> {}
    }
  }

  /** In a turn, since a filter may have to be compiled. */
  private void begin() {
    service
        .begin(query, client.types())
        .whenComplete(
            (begun, failure) -> {
              if (failure != null) {
                fail(failure);
                return;
              }
              tail = begun;
              if (ended.get()) {
                begun.close();
                return;
              }
              chunk.append(begun.greeting());
              writer.begin(BodyCoding.IDENTITY);
              send();
              context.runOnContext(ignored -> startWatch());
            });
  }

  private void startWatch() {
    if (!ended.get()) {
      watch = ctx.vertx().setPeriodic(WATCH_MILLIS, id -> watch());
    }
  }

  private void beatIfDue(Tail running) {
    if (isDueToBeat && chunk.length() == 0) {
      running.beat(chunk);
    }
    isDueToBeat = false;
  }

  private void send() {
    if (chunk.length() == 0) {
      return;
    }
    sendingSinceMillis = Math.max(1, clock.millis());
    writer.write(List.of(chunk));
  }

  private void written(Chunk sent) {
    sent.clear();
    sentMillis = clock.millis();
    sendingSinceMillis = 0;
    turns.wake();
  }

  /**
   * Ends with the client's key. Drops the steps of a stalled client, and cuts off one stalled for
   * too long.
   */
  private void watch() {
    if (!client.isCurrent().getAsBoolean()) {
      end(new Failure(401, "the key of this tail has ended", 0, "key_ended"), response::end);
      return;
    }
    long now = clock.millis();
    long since = sendingSinceMillis;
    if (since == 0) {
      isDueToBeat = now - sentMillis >= service.options().heartbeatMillis();
      if (isDueToBeat) {
        turns.wake();
      }
    } else if (now - since >= stallTimeoutMillis) {
      logger.info(
          "the client of tail {} took nothing for {} ms; cut off",
          AnswerHead.requestId(ctx),
          now - since);
      if (end("stalled")) {
        Failure.cut(ctx);
      }
    } else {
      isDueToRest = true;
      turns.wake();
    }
  }

  /** The client may reconnect. */
  private void fail(Throwable cause) {
    Failure failure = Failure.of(cause);
    if (end(failure, response::end) && failure.isOurs()) {
      logger.warn("tail {} failed: {}", AnswerHead.requestId(ctx), ctx.request().uri(), cause);
    }
  }

  /** Zero if no chunk is being sent. */
  long stalledMillis() {
    long since = sendingSinceMillis;
    return since == 0 ? 0 : Math.max(0, clock.millis() - since);
  }

  /** In favour of another client. Its own client may reconnect at its position. */
  void crowdOut() {
    boolean isStalled = stalledMillis() >= WATCH_MILLIS;
    end(
        new Failure(429, CROWDED_OUT, 10, "crowded_out"),
        // An orderly end would wait for bytes that the client does not read.
        isStalled ? () -> Failure.cut(ctx) : () -> response.end(CROWDED_OUT_EVENT));
  }

  void finish() {
    end(new Failure(503, "the server is stopping", 1, "stopped"), response::end);
  }

  /** Sends an error if the response has not begun. False if the tail had ended. */
  private boolean end(Failure failure, Runnable ifBegun) {
    if (!end(failure.outcome())) {
      return false;
    }
    context.runOnContext(
        ignored -> {
          if (response.headWritten()) {
            ifBegun.run();
          } else {
            writer.fail(failure);
          }
        });
    return true;
  }

  /** False if the tail had ended before. */
  private boolean end(String outcome) {
    if (!ended.compareAndSet(false, true)) {
      return false;
    }
    Tail running = tail;
    if (running != null) {
      running.close();
    }
    onEnd.accept(this, outcome);
    context.runOnContext(
        ignored -> {
          if (watch != null) {
            ctx.vertx().cancelTimer(watch);
          }
        });
    return true;
  }
}
