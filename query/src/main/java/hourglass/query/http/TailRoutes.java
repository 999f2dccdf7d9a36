package hourglass.query.http;

import hourglass.access.Client;
import hourglass.access.Quota;
import hourglass.query.QueryOptions;
import hourglass.query.fair.FairExecutor;
import hourglass.query.fair.Shares;
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
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * The live tail over HTTP, as server-sent events. A refusal fails the routing context, as in {@link
 * QueryRoutes}. Close it before the server, which otherwise waits for its tails. Thread-safe.
 */
public final class TailRoutes implements AutoCloseable {
  /** A tail stalled for this long makes room for another tail of the same client. */
  private static final long STALLED_MILLIS = 10_000;

  private final TailService service;
  private final TailOptions tails;
  private final long stallTimeoutMillis;
  private final Clock clock;
  private final MeterRegistry meters;
  private final FairExecutor executor;
  private final Function<RoutingContext, Client> clients;
  private final Shares<TailStream> running;
  private volatile boolean closed;

  /** The {@code clock} is monotonic; {@code clients} identifies clients, for fair shares. */
  public TailRoutes(
      WideColumnStore store,
      QueryOptions options,
      TailOptions tails,
      Clock clock,
      MeterRegistry meters,
      FairExecutor executor,
      Function<RoutingContext, Client> clients) {
    this.service = new TailService(store, options, tails, executor);
    this.tails = tails;
    this.stallTimeoutMillis = options.stallTimeoutMillis();
    this.clock = clock;
    this.meters = meters;
    this.executor = executor;
    this.clients = clients;
    running = new Shares<>(tails.concurrentMax(), TailStream::stalledMillis, STALLED_MILLIS);
    Gauge.builder("hourglass.query.tails", running, Shares::size)
        .description("Tails under way")
        .register(meters);
  }

  public void mount(Router router) {
    Endpoint.TAIL.mount(router, this::tail, (ctx, failure) -> Failure.of(failure).send(ctx));
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
    Executor lane = executor.lane(client.share());
    Quota.Turn turn = client.quota().tail();
    TailStream stream =
        new TailStream(
            ctx,
            service,
            query,
            client,
            stallTimeoutMillis,
            clock,
            lane,
            (ended, outcome) -> {
              turn.close();
              ended(ended, outcome);
            });
    Optional<TailStream> leaves;
    synchronized (this) { // else a tail could begin after close() has ended all others
      if (closed) {
        turn.close();
        refuse(ctx, new Failure(503, "the server is stopping", 1, "unavailable"));
        return;
      }
      leaves = running.add(client.share(), stream);
    }
    if (leaves.isPresent() && leaves.get() == stream) {
      turn.close();
      refuse(ctx, tooMany(running.size(client.share())));
      return;
    }
    leaves.ifPresent(TailStream::crowdOut);
    stream.start();
  }

  private Failure tooMany(int ofClient) {
    String detail =
        "%d tails are running, the most that are allowed, %d of them from the address of this request"
            .formatted(tails.concurrentMax(), ofClient);
    return new Failure(429, detail, 10, "too_many");
  }

  private void refuse(RoutingContext ctx, Failure failure) {
    ended(failure.outcome());
    failure.send(ctx);
  }

  private void ended(TailStream stream, String outcome) {
    running.remove(stream);
    ended(outcome);
  }

  private void ended(String outcome) {
    Counter.builder("hourglass.query.tails.ended")
        .description("Tails that have ended, by outcome")
        .tag("outcome", outcome)
        .register(meters)
        .increment();
  }

  /** Clients reconnect at their positions. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    running.all().forEach(TailStream::finish);
  }
}
