package hourglass.query.http;

import hourglass.access.Client;
import hourglass.access.SharedPlaces;
import hourglass.query.Chunk;
import hourglass.query.fair.SerialTask;
import hourglass.query.tail.Tail;
import hourglass.query.tail.TailOptions;
import io.vertx.core.Context;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Pumps a {@link Tail} into a connection. A stalled client costs one chunk and its tail. */
final class TailStream implements SharedPlaces.Holder, TailWatch.Watched {
  private static final Logger logger = LoggerFactory.getLogger(TailStream.class);

  /** The outcome of a tail that gave its place to another client. */
  static final String CROWDED_OUT = "crowded_out";

  private static final String WHY_CROWDED_OUT =
      "all tails are taken, most of them from this address, and another client wants one";

  private final RoutingContext ctx;
  private final TailConnection connection;
  private final Context context;
  private final Supplier<CompletionStage<Tail>> source;
  private final TailWatch watch;
  private final SerialTask turns;
  private final BiConsumer<TailStream, String> onEnd;
  private final AtomicBoolean ended = new AtomicBoolean();
  private final Chunk chunk;

  private volatile @Nullable Tail tail;
  private volatile boolean isDueToRest;
  private volatile boolean isDueToBeat;

  /** The {@code source} supplies the tail, on the executor. */
  TailStream(
      RoutingContext ctx,
      TailConnection connection,
      TailOptions options,
      Supplier<CompletionStage<Tail>> source,
      Client client,
      long stallTimeoutMillis,
      Clock clock,
      Executor executor,
      BiConsumer<TailStream, String> onEnd) {
    this.ctx = ctx;
    this.connection = connection;
    this.source = source;
    this.onEnd = onEnd;
    this.chunk = new Chunk(options.chunkBytes());
    watch = new TailWatch(clock, client, options, stallTimeoutMillis);
    turns = new SerialTask(executor, this::turn, this::fail);
    context = ctx.vertx().getOrCreateContext();
  }

  /** Starts the tail. Call it on the event loop. */
  void start() {
    connection.onGone(() -> end("cancelled"));
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
    if (watch.isSending()) {
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
      case DONE -> {}
    }
  }

  /** Begins the tail. This happens in a turn, since a filter may have to be compiled. */
  private void begin() {
    source
        .get()
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
              connection.begin();
              send();
              turns.wake();
              context.runOnContext(ignored -> startWatch());
            });
  }

  private void startWatch() {
    if (!ended.get()) {
      watch.start(ctx.vertx(), AnswerHead.requestId(ctx), this);
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
    isDueToBeat = false;
    watch.sending();
    connection.write(chunk, this::written);
  }

  private void written(Chunk sent) {
    sent.clear();
    watch.sent();
    turns.wake();
  }

  @Override
  public void ping() {
    connection.ping();
  }

  @Override
  public void beat() {
    isDueToBeat = true;
    turns.wake();
  }

  @Override
  public void rest() {
    isDueToRest = true;
    turns.wake();
  }

  @Override
  public void end(Failure failure) {
    if (end(failure.outcome())) {
      connection.end(failure);
    }
  }

  @Override
  public void cut(Failure failure) {
    if (end(failure.outcome())) {
      connection.cut(failure);
    }
  }

  /** Ends the tail after a failure. The client may reconnect. */
  private void fail(Throwable cause) {
    Failure failure = Failure.of(cause);
    if (end(failure.outcome())) {
      connection.end(failure);
      if (failure.isOurs()) {
        logger.warn(
            "tail {} failed: {}", AnswerHead.requestId(ctx), RunningQueries.question(ctx), cause);
      }
    }
  }

  @Override
  public long idleSince() {
    return watch.idleSince();
  }

  /** Ends the tail in favour of another client. Its own client may reconnect at its position. */
  void crowdOut() {
    Failure failure = new Failure(429, WHY_CROWDED_OUT, 10, CROWDED_OUT);
    if (watch.isStalled()) {
      cut(failure);
    } else {
      end(failure);
    }
  }

  void finish() {
    end(new Failure(503, "the server is stopping", 1, "stopped"));
  }

  /** Ends the tail. Returns false if it had ended before. */
  private boolean end(String outcome) {
    if (!ended.compareAndSet(false, true)) {
      return false;
    }
    Tail running = tail;
    if (running != null) {
      running.close();
    }
    onEnd.accept(this, outcome);
    context.runOnContext(ignored -> watch.stop(ctx.vertx()));
    return true;
  }
}
