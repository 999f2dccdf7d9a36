package hourglass.query.http;

import hourglass.access.Client;
import hourglass.access.Failures;
import hourglass.access.FairExecutor;
import hourglass.access.Quota;
import hourglass.access.TypePatterns;
import hourglass.query.fair.AnswerBytes;
import hourglass.query.fair.Places.Size;
import hourglass.query.fair.QueryThread;
import hourglass.query.scan.RowDeadline;
import hourglass.query.service.QueryService;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs requests: queries on the executor, since a store may work in the calling thread, and answers
 * on the event loop. Thread-safe.
 *
 * @param executor also runs brief work that needs no place
 */
public record QueryRunner(
    QueryService service,
    FairExecutor executor,
    Clock clock,
    QueryLimiter limiter,
    AnswerBytes bytes,
    Function<RoutingContext, Client> clients) {
  private static final Logger logger = LoggerFactory.getLogger(QueryRunner.class);

  /** Refuses a request that cannot become a query. */
  public void refuse(RoutingContext ctx, Endpoint endpoint, Throwable why) {
    Failure failure = Failure.of(why);
    limiter.refused(endpoint, failure.outcome());
    send(failure, ctx, why);
  }

  /**
   * Answers a request. A HEAD runs no query, and receives the headers that are known without one.
   */
  public void answer(RoutingContext ctx, Endpoint endpoint, PreparedQuery query) {
    if (ctx.response().closed()) { // nothing would tell the query that its client is gone
      limiter.refused(endpoint, "cancelled");
      return;
    }
    if (ctx.request().method().equals(HttpMethod.HEAD)) {
      head(ctx, query);
      return;
    }
    Client client = clients.apply(ctx);
    TypePatterns types = client.types();
    Quota.Turn turn = client.quota().query();
    QueryLimiter.Ticket ticket =
        limiter.ticket(
            ctx, endpoint, client, turn, query.size(), given -> begin(ctx, query, client, given));
    ticket.enter();
    if (ticket.isWaiting()) {
      ctx.response().closeHandler(closed -> ticket.end("cancelled"));
    }
    if (ticket.isWaiting() && query.size() == Size.UNKNOWN) {
      ticket.size(() -> isSmall(query, types, ticket));
    }
  }

  private CompletionStage<Boolean> isSmall(
      PreparedQuery query, TypePatterns types, QueryLimiter.Ticket ticket) {
    PreparedQuery.Work work;
    try {
      work = query.work().get();
    } catch (RuntimeException e) {
      return CompletableFuture.completedFuture(true); // to refuse it takes no time
    }
    return service
        .with(
            access ->
                access
                    .only(types)
                    .on(ticket.lane(), ticket.readers(), ticket.threads())
                    .until(ticket::hasEnded))
        .isSmall(work.selection(), work.readsPayloads());
  }

  private void begin(
      RoutingContext ctx, PreparedQuery query, Client client, QueryLimiter.Ticket ticket) {
    TypePatterns types = client.types();
    AnswerBytes.Account account = bytes.open(client.share());
    QueryService on =
        service.with(
            access ->
                access
                    .only(types)
                    .on(ticket.lane(), ticket.readers(), ticket.threads())
                    .with(account)
                    .counting(ticket.reads())
                    .until(ticket::hasEnded));
    RowDeadline deadline = query.limit().rows();
    QueryService limited = deadline == null ? on : on.with(access -> access.until(deadline));
    new ResponseStream(
            ctx,
            query.head(),
            () -> query.work().get().body().apply(limited),
            query.limited(),
            query.limit(),
            service.options(),
            clock,
            ticket,
            account)
        .start();
  }

  /**
   * Runs a search whose result is not the answer itself, in a place like any other query. Call it
   * on the event loop. The stage fails if there is no place.
   *
   * @param gone whether the client has cancelled it
   */
  public <T> CompletionStage<T> search(
      RoutingContext ctx,
      Endpoint endpoint,
      Client client,
      BooleanSupplier gone,
      BiFunction<QueryService, QueryThread, T> search) {
    CompletableFuture<T> found = new CompletableFuture<>();
    Quota.Turn turn;
    try {
      turn = client.quota().query();
    } catch (RuntimeException e) {
      found.completeExceptionally(e);
      return found;
    }
    QueryLimiter.Ticket ticket =
        limiter.ticket(
            ctx,
            endpoint,
            client,
            turn,
            Size.LARGE,
            given -> {
              AnswerBytes.Account account = bytes.open(client.share());
              BooleanSupplier hasEnded = () -> gone.getAsBoolean() || given.hasEnded();
              QueryService on =
                  service.with(
                      access ->
                          access
                              .only(client.types())
                              .on(given.lane(), given.readers(), given.threads())
                              .with(account)
                              .counting(given.reads())
                              .until(hasEnded));
              CompletionStage<T> searched;
              try {
                searched =
                    QueryThread.start(
                        given.threads(),
                        given.lane(),
                        hasEnded,
                        thread -> search.apply(on, thread));
              } catch (RuntimeException | Error e) { // the process stops, or has no more threads
                account.close();
                throw e;
              }
              var unused =
                  searched.whenComplete(
                      (value, failure) -> {
                        account.close();
                        given.end(failure == null ? "ok" : outcome(failure, gone));
                        if (failure == null) {
                          found.complete(value);
                        } else {
                          found.completeExceptionally(failure);
                        }
                      });
            },
            why -> found.completeExceptionally(new HttpException(why.status(), why.detail())));
    ticket.enter();
    return found;
  }

  private static String outcome(Throwable failure, BooleanSupplier gone) {
    return gone.getAsBoolean() ? "cancelled" : Failure.of(failure).outcome();
  }

  /** Answers a HEAD. An expression is parsed and checked on the executor, since that takes time. */
  private void head(RoutingContext ctx, PreparedQuery query) {
    away(
            ctx,
            () -> {
              service.check(query.work().get().selection());
              return query.head();
            })
        .onSuccess(head -> head.put(ctx.response()).end())
        .onFailure(thrown -> send(Failure.of(thrown), ctx, thrown));
  }

  /**
   * Reads the typed filter, if there is one, away from the event loop, and continues on the event
   * loop.
   */
  void withFilter(
      RoutingContext ctx,
      QueryParameters parameters,
      Consumer<QueryParameters> then,
      Consumer<RuntimeException> onFailure) {
    if (!parameters.hasTypedFilter()) {
      then.accept(parameters);
      return;
    }
    away(ctx, parameters::withFilter)
        .onSuccess(
            read -> {
              try {
                then.accept(read);
              } catch (RuntimeException e) {
                onFailure.accept(e);
              }
            })
        .onFailure(thrown -> onFailure.accept(Failures.unchecked(thrown)));
  }

  /**
   * Does brief work that needs no place on the executor. Call it on the event loop, where the
   * result arrives.
   */
  public <T> Future<T> away(RoutingContext ctx, Supplier<T> work) {
    CompletableFuture<T> done;
    try {
      done = CompletableFuture.supplyAsync(work, executor.lane(clients.apply(ctx).share()));
    } catch (RejectedExecutionException e) {
      done = CompletableFuture.failedFuture(e);
    }
    return Future.fromCompletionStage(done, ctx.vertx().getOrCreateContext());
  }

  private static void send(Failure failure, RoutingContext ctx, Throwable thrown) {
    if (failure.isOurs()) {
      logger.warn(
          "query {} failed: {}", AnswerHead.requestId(ctx), RunningQueries.question(ctx), thrown);
    }
    failure.send(ctx);
  }
}
