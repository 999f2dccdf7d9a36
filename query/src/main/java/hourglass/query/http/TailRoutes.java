package hourglass.query.http;

import hourglass.access.Client;
import hourglass.access.FairExecutor;
import hourglass.access.Quota;
import hourglass.access.SharedPlaces;
import hourglass.access.SharedPlaces.Stalled;
import hourglass.query.QueryOptions;
import hourglass.query.tail.Tail;
import hourglass.query.tail.TailOptions;
import hourglass.query.tail.TailQuery;
import hourglass.query.tail.TailService;
import hourglass.store.WideColumnStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The live tail over HTTP, as server-sent events; other APIs begin their tails here, too. A refusal
 * fails the routing context, as in {@link QueryRoutes}. Close it before the server, which otherwise
 * waits for its tails. Thread-safe.
 */
public final class TailRoutes implements AutoCloseable {
  /** The stall after which a tail makes room for another tail of the same client. */
  private static final long STALLED_MILLIS = 10_000;

  private final TailService service;
  private final QueryRunner queries;
  private final TailOptions tails;
  private final long stallTimeoutMillis;
  private final Clock clock;
  private final MeterRegistry meters;
  private final FairExecutor executor;
  private final Function<RoutingContext, Client> clients;
  private final SharedPlaces<TailStream> running;
  private volatile boolean closed;

  /**
   * @param clock monotonic
   * @param threads unbounded, since tails bound the threads that read for them
   * @param clients identifies the client of a request, for fair shares
   */
  public TailRoutes(
      QueryRoutes queries,
      WideColumnStore store,
      QueryOptions options,
      TailOptions tails,
      Clock clock,
      MeterRegistry meters,
      FairExecutor executor,
      Executor threads,
      Function<RoutingContext, Client> clients) {
    this.service = new TailService(store, options, tails, executor, threads);
    this.queries = queries.runner();
    this.tails = tails;
    this.stallTimeoutMillis = options.stallTimeoutMillis();
    this.clock = clock;
    this.meters = meters;
    this.executor = executor;
    this.clients = clients;
    running =
        new SharedPlaces<>(
            tails.concurrentMax(), clock::millis, Stalled.OWN_LEAVES, STALLED_MILLIS);
    Gauge.builder("hourglass.query.tails", running, SharedPlaces::size)
        .description("Tails under way")
        .register(meters);
  }

  public void mount(Router router) {
    Endpoint.TAIL.mount(
        router,
        (ctx, parameters) ->
            queries.withFilter(
                ctx, parameters, read -> tail(ctx, read), failure -> Failure.of(failure).send(ctx)),
        (ctx, failure) -> Failure.of(failure).send(ctx));
  }

  public TailService service() {
    return service;
  }

  private void tail(RoutingContext ctx, QueryParameters parameters) {
    TailQuery query = parameters.tail(ctx.request().getHeader("Last-Event-ID"));
    if (ctx.request().method().equals(HttpMethod.HEAD)) {
      AnswerHead.TAIL.put(ctx.response()).end();
    } else {
      begin(ctx, query);
    }
  }

  private void begin(RoutingContext ctx, TailQuery query) {
    if (ctx.request().version() == HttpVersion.HTTP_1_0) {
      throw new HttpException(505, "a tail needs HTTP/1.1");
    }
    Client client = clients.apply(ctx);
    Quota.Turn turn = client.quota().tail();
    EventSource connection = new EventSource(ctx, client.quota());
    Failure refusal =
        begin(ctx, connection, client, turn, lane -> service.begin(query, client.types()));
    if (refusal != null) {
      refuse(ctx, refusal);
    }
  }

  /**
   * Begins a tail in a place of its client. Returns the reason if it may not begin, else null.
   *
   * @param turn is closed when the tail ends, or does not begin
   * @param source of its events, called on a thread of the client
   */
  public @Nullable Failure begin(
      RoutingContext ctx,
      TailConnection connection,
      Client client,
      Quota.Turn turn,
      Function<Lane, CompletionStage<Tail>> source) {
    Executor executorOfClient = executor.lane(client.share());
    AtomicBoolean hasEnded = new AtomicBoolean();
    Lane lane = new Lane(executorOfClient, hasEnded::get);
    TailStream stream =
        new TailStream(
            ctx,
            connection,
            tails,
            () -> source.apply(lane),
            client,
            stallTimeoutMillis,
            clock,
            executorOfClient,
            (ended, outcome) -> {
              hasEnded.set(true);
              turn.close();
              ended(ended, outcome);
            });
    Optional<TailStream> leaves;
    synchronized (this) { // else a tail could begin after close() has ended all others
      if (closed) {
        turn.close();
        return new Failure(503, "the server is stopping", 1, "unavailable");
      }
      leaves = running.add(client.share(), stream);
    }
    if (leaves.isPresent() && leaves.get() == stream) {
      turn.close();
      return tooMany(running.size(client.share()));
    }
    leaves.ifPresent(TailStream::crowdOut);
    stream.start();
    return null;
  }

  /**
   * The threads of a client, for one tail.
   *
   * @param gone whether the tail has ended
   */
  public record Lane(Executor executor, BooleanSupplier gone) {}

  private Failure tooMany(int ofClient) {
    String detail =
        "%d tails are running, the most that are allowed, %d of them from the address of this request"
            .formatted(tails.concurrentMax(), ofClient);
    return new Failure(429, detail, 10, "too_many");
  }

  /** Answers a request whose tail does not begin. */
  public void refuse(RoutingContext ctx, Failure failure) {
    ended(failure.outcome());
    failure.send(ctx);
  }

  private void ended(TailStream stream, String outcome) {
    running.remove(stream);
    ended(outcome);
  }

  /** Counts a tail that has ended, or never began. */
  public void ended(String outcome) {
    Counter.builder("hourglass.query.tails.ended")
        .description("Tails that have ended, by outcome")
        .tag("outcome", outcome)
        .register(meters)
        .increment();
  }

  /** Ends all tails. Their clients reconnect at their positions. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    running.all().forEach(TailStream::finish);
  }
}
