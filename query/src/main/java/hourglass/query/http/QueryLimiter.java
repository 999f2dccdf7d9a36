package hourglass.query.http;

import hourglass.access.Client;
import hourglass.access.FairExecutor;
import hourglass.access.Quota;
import hourglass.query.fair.PlaceHolder;
import hourglass.query.fair.Places;
import hourglass.query.fair.Places.Place;
import hourglass.query.fair.Places.Size;
import hourglass.query.scan.QueryReads;
import io.micrometer.core.instrument.Gauge;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the number of queries at work, and measures each: the one place where every query begins
 * and ends. Thread-safe.
 */
final class QueryLimiter {
  private static final Logger logger = LoggerFactory.getLogger(QueryLimiter.class);

  private static final long CHECK_MILLIS = 100;

  private final Places places;
  private final FairExecutor threads;
  private final Executor loops;
  private final QueryMeters meters;

  QueryLimiter(Places places, FairExecutor threads, Executor loops, QueryMeters meters) {
    this.places = places;
    this.loops = loops;
    this.threads = threads;
    this.meters = meters;
    gauge("hourglass.query.running", Places::begun, "Queries that have a place and work");
    gauge("hourglass.query.waiting", Places::waiting, "Queries that wait for a place");
    gauge("hourglass.query.resting", Places::resting, "Queries whose clients take no bytes");
  }

  /**
   * Returns a ticket for a query. Once there is a place, {@code begin} receives the ticket on the
   * event loop. The {@code turn} ends with the query.
   */
  Ticket ticket(
      RoutingContext ctx,
      Endpoint endpoint,
      Client client,
      Quota.Turn turn,
      Size size,
      Consumer<Ticket> begin) {
    return ticket(ctx, endpoint, client, turn, size, begin, failure -> failure.send(ctx));
  }

  /**
   * Returns a ticket for a query, like the method above. If it cannot begin, {@code refuse}
   * receives the failure on the event loop.
   */
  Ticket ticket(
      RoutingContext ctx,
      Endpoint endpoint,
      Client client,
      Quota.Turn turn,
      Size size,
      Consumer<Ticket> begin,
      Consumer<Failure> refuse) {
    return new Ticket(ctx, endpoint, client, turn, size, begin, refuse);
  }

  RunningQueries running() {
    return meters.running();
  }

  private void gauge(String name, ToDoubleFunction<Places> value, String description) {
    Gauge.builder(name, places, value).description(description).register(meters.registry());
  }

  /** Counts a query that never ran. */
  void refused(Endpoint endpoint, String outcome) {
    meters.refused(endpoint, outcome);
  }

  /** One query, from its request for a place to its end. Thread-safe. */
  final class Ticket implements PlaceHolder {
    private final RoutingContext ctx;
    private final Context context;
    private final Consumer<Ticket> begin;
    private final Consumer<Failure> refuse;
    private final FairExecutor.Lane lane;
    private final FairExecutor.Lane readers;
    private final Place place;
    private final Quota.Turn turn;
    private final QueryMeters.Measured measured;
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile @Nullable ResponseStream answer;

    private Ticket(
        RoutingContext ctx,
        Endpoint endpoint,
        Client client,
        Quota.Turn turn,
        Size size,
        Consumer<Ticket> begin,
        Consumer<Failure> refuse) {
      this.ctx = ctx;
      this.refuse = refuse;
      this.turn = turn;
      this.begin = begin;
      measured = meters.start(endpoint, client);
      context = ctx.vertx().getOrCreateContext();
      lane = threads.lane(client.share());
      readers = threads.lane(client.share());
      place = places.place(client.share(), size, this);
    }

    /** Asks for the place. Call it on the event loop. */
    void enter() {
      measured.list(ctx, this::cancel);
      place.enter();
      if (isWaiting()) {
        ctx.vertx().setPeriodic(CHECK_MILLIS, this::checkWhileWaiting);
      }
    }

    private void checkWhileWaiting(long timer) {
      if (isWaiting()) {
        checkAll();
      } else {
        ctx.vertx().cancelTimer(timer);
      }
    }

    void size(Supplier<CompletionStage<Boolean>> isSmall) {
      try {
        var unused =
            CompletableFuture.supplyAsync(isSmall, lane)
                .thenCompose(Function.identity())
                .whenComplete((small, failure) -> sized(failure == null && small));
      } catch (RejectedExecutionException e) {
        sized(false); // the server is stopping
      }
    }

    private void sized(boolean small) {
      place.sized(small ? Size.SMALL : Size.LARGE);
    }

    @Override
    public void begin() {
      if (Vertx.currentContext() == context) {
        beginHere();
      } else {
        context.runOnContext(ignored -> beginHere());
      }
    }

    private void beginHere() {
      if (hasEnded()) {
        return;
      }
      measured.begun();
      try {
        begin.accept(this);
      } catch (RuntimeException | Error e) { // there may be no more threads or memory
        Failure failure = Failure.of(e);
        if (end(failure.outcome())) {
          if (failure.isOurs()) {
            logger.warn(
                "query {} failed: {}", AnswerHead.requestId(ctx), RunningQueries.question(ctx), e);
          }
          refuse.accept(failure);
        }
      }
    }

    @Override
    public void refuse(String why) {
      if (end("too_many")) {
        context.runOnContext(ignored -> refuse.accept(new Failure(429, why, 1, "too_many")));
      }
    }

    /** The turns of this query. None begins while the query has yielded its place. */
    FairExecutor.Lane lane() {
      return lane;
    }

    /**
     * The threads of this query's reads. A read that has begun continues even if the place is
     * yielded, since the store's timeout runs.
     */
    Executor readers() {
      return readers;
    }

    /** The client that asked. */
    Client client() {
      return measured.client();
    }

    /** Counts what the query reads. */
    QueryReads reads() {
      return measured.reads();
    }

    boolean isWaiting() {
      return place.isWaiting();
    }

    boolean hasEnded() {
      return ended.get();
    }

    /** Sets the answer that receives callbacks about its place. */
    void begun(ResponseStream stream) {
      answer = stream;
    }

    /** Yields the place for as long as the client reads nothing. */
    void rest() {
      place.rest();
      pauseIfMust();
    }

    /** Checks the places of all queries. Called periodically until this query ends. */
    void checkAll() {
      places.look();
    }

    boolean works() {
      return place.ask();
    }

    /** The threads that queries occupy, each until its last byte is in a chunk. */
    Executor threads() {
      return loops;
    }

    @Override
    public void moved() {
      pauseIfMust();
      ResponseStream stream = answer;
      if (stream != null) {
        stream.resume();
      }
    }

    /**
     * Pauses or resumes the threads. This uses the current state of the place, since callbacks may
     * overtake one another.
     */
    private synchronized void pauseIfMust() {
      if (place.mustPause()) {
        lane.pause();
      } else {
        lane.resume();
      }
    }

    @Override
    public void cutOff() {
      ResponseStream stream = answer;
      if (stream != null) {
        stream.cut("crowded_out");
      }
    }

    /**
     * Ends the query, whose client receives the failure. The result is false if it had ended
     * before. May be called from any thread.
     */
    private CompletionStage<Boolean> cancel(Failure why) {
      CompletableFuture<Boolean> ended = new CompletableFuture<>();
      // There, a query has either an answer or none, and does not begin meanwhile.
      context.runOnContext(ignored -> ended.complete(cancelHere(why)));
      return ended;
    }

    private boolean cancelHere(Failure why) {
      ResponseStream stream = answer;
      if (stream != null) {
        return stream.fail(why);
      }
      boolean ends = end(why.outcome());
      if (ends) {
        refuse.accept(why);
      }
      return ends;
    }

    /** Ends the query. Returns true for the first call only. */
    boolean end(String outcome) {
      if (!ended.compareAndSet(false, true)) {
        return false;
      }
      place.end();
      turn.close();
      pauseIfMust();
      measured.end(outcome);
      return true;
    }
  }
}
