package hourglass.query.http;

import hourglass.access.Client;
import hourglass.access.FairExecutor;
import hourglass.access.Quota;
import hourglass.access.Shares;
import hourglass.query.QueryOptions;
import hourglass.query.line.StreamLabels;
import hourglass.query.loki.LogFilter;
import hourglass.query.tail.Tail;
import hourglass.query.tail.TailOptions;
import hourglass.query.tail.TailQuery;
import hourglass.query.tail.TailService;
import hourglass.query.tail.TailStart;
import hourglass.store.WideColumnStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The live tail over HTTP, as server-sent events, or as a WebSocket for Loki's clients. A refusal
 * fails the routing context, as in {@link QueryRoutes}. Close it before the server, which otherwise
 * waits for its tails. Thread-safe.
 */
public final class TailRoutes implements AutoCloseable {
  /** A tail stalled for this long makes room for another tail of the same client. */
  private static final long STALLED_MILLIS = 10_000;

  private static final Endpoint LOKI_TAIL = Endpoint.ofLoki("tail");

  private final TailService service;
  private final QueryRunner queries;
  private final Clock wall;
  private final StreamLabels labels;
  private final TailOptions tails;
  private final long stallTimeoutMillis;
  private final Clock clock;
  private final MeterRegistry meters;
  private final FairExecutor executor;
  private final Function<RoutingContext, Client> clients;
  private final Shares<TailStream> running;
  private volatile boolean closed;

  /**
   * The {@code clock} is monotonic, and {@code wall} is not; {@code clients} identifies clients,
   * for fair shares, and {@code labels} are those of events for Loki's clients. First lines are
   * found in the places of {@code queries}.
   */
  public TailRoutes(
      QueryRoutes queries,
      WideColumnStore store,
      QueryOptions options,
      TailOptions tails,
      Clock clock,
      MeterRegistry meters,
      FairExecutor executor,
      Function<RoutingContext, Client> clients,
      Clock wall,
      StreamLabels labels) {
    this.service = new TailService(store, options, tails, executor);
    this.queries = queries.runner();
    this.wall = wall;
    this.labels = labels;
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
    Endpoint.TAIL.mount(
        router,
        (ctx, parameters) ->
            queries.withFilter(
                ctx, parameters, read -> tail(ctx, read), failure -> Failure.of(failure).send(ctx)),
        (ctx, failure) -> Failure.of(failure).send(ctx));
    router
        .route(LOKI_TAIL.path())
        .method(HttpMethod.GET)
        .method(HttpMethod.HEAD)
        .handler(this::lokiTail);
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

  /** Begins a tail in a place of its client; returns why it may not. */
  private @Nullable Failure begin(
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
   * The threads of a client.
   *
   * @param gone whether the tail has ended
   */
  private record Lane(Executor executor, BooleanSupplier gone) {}

  /** Loki's tail: its refusals come before the handshake, as far as they are known. */
  private void lokiTail(RoutingContext ctx) {
    Failure.sendAsText(ctx);
    try {
      LokiParameters parameters = new LokiParameters(ctx.queryParams(), wall);
      boolean isSocket = isHandshake(ctx.request());
      if (isSocket) {
        ctx.request().pause(); // else it would end before the handshake
      }
      queries
          .away(ctx, () -> history(parameters, isSocket))
          .onSuccess(history -> shakeHands(ctx, history))
          .onFailure(
              failure -> {
                refuse(ctx, Failure.of(failure));
                ctx.request().resume();
              });
    } catch (RuntimeException e) {
      refuse(ctx, Failure.of(e));
    }
  }

  /**
   * Whether a request asks for a WebSocket.
   *
   * @throws HttpException if it has a body, which would be kept until the handshake
   */
  private static boolean isHandshake(HttpServerRequest request) {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    if (length != null && !length.equals("0")
        || request.headers().contains(HttpHeaders.TRANSFER_ENCODING)) {
      throw new HttpException(400, "body: a tail takes none");
    }
    return request.method().equals(HttpMethod.GET)
        && request.version() != HttpVersion.HTTP_2
        && "websocket".equalsIgnoreCase(request.getHeader(HttpHeaders.UPGRADE));
  }

  private LokiHistory history(LokiParameters parameters, boolean isSocket) {
    LogFilter lines = LogFilter.of(parameters.selector(), labels);
    LokiHistory history =
        new LokiHistory(
            lines, parameters.tailStart(), parameters.nowTicks(), parameters.tailLimit());
    if (!isSocket) {
      throw new HttpException(400, "a tail is a WebSocket; want Upgrade: websocket");
    }
    lines.check();
    return history;
  }

  private void shakeHands(RoutingContext ctx, LokiHistory history) {
    try {
      Client client = clients.apply(ctx);
      Quota.Turn turn = client.quota().tail();
      ctx.request()
          .toWebSocket()
          .onSuccess(socket -> lokiTail(ctx, socket, client, turn, history))
          .onFailure(
              failure -> {
                turn.close();
                ended("bad_request");
              });
    } catch (RuntimeException e) {
      refuse(ctx, Failure.of(e));
    }
  }

  private void lokiTail(
      RoutingContext ctx,
      ServerWebSocket socket,
      Client client,
      Quota.Turn turn,
      LokiHistory history) {
    LogSocket connection = new LogSocket(ctx, socket, client.quota());
    Context context = ctx.vertx().getOrCreateContext();
    Failure refusal =
        begin(
            ctx,
            connection,
            client,
            turn,
            lane ->
                service.begin(
                    history.selection(),
                    client.types(),
                    history.lines(),
                    () -> search(ctx, context, client, lane, history)));
    if (refusal != null) {
      ended(refusal.outcome());
      connection.end(refusal);
    }
  }

  private CompletionStage<TailStart> search(
      RoutingContext ctx, Context context, Client client, Lane lane, LokiHistory history) {
    CompletableFuture<TailStart> start = new CompletableFuture<>();
    if (history.limit() == 0) {
      start.complete(new TailStart(history.askedTicks(), true));
      return start;
    }
    context.runOnContext(
        ignored ->
            queries
                .search(ctx, LOKI_TAIL, client, lane.gone(), on -> history.search(on, clock))
                .whenComplete(
                    (found, failure) -> {
                      if (failure == null) {
                        start.complete(found);
                      } else {
                        start.completeExceptionally(failure);
                      }
                    }));
    return start;
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
