package hourglass.query.http;

import hourglass.query.QueryService;
import hourglass.query.Selection;
import io.vertx.core.Context;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes one request from its admission to its answer: a question is asked on the executor, since a
 * store may work in the thread that asks, and answered on the event loop, in time or not at all.
 * Thread-safe.
 */
final class Questions {
  private static final Logger log = LoggerFactory.getLogger(Questions.class);

  private final QueryService service;
  private final Executor executor;
  private final Admission admission;
  private final Function<RoutingContext, Object> clients;

  /**
   * @param executor checks what no place is needed for
   * @param clients names the client of a request, whose share its queries have
   */
  Questions(
      QueryService service,
      Executor executor,
      Admission admission,
      Function<RoutingContext, Object> clients) {
    this.service = service;
    this.executor = executor;
    this.admission = admission;
    this.clients = clients;
  }

  /** Tells of a request that cannot even be asked. */
  void refuse(RoutingContext ctx, Endpoint endpoint, RuntimeException why) {
    Failure failure = Failure.of(why);
    admission.refused(endpoint, failure.outcome());
    send(failure, ctx, why);
  }

  /** Begins a query on the event loop once it has a place; refuses it where it gets none. */
  void enter(RoutingContext ctx, Endpoint endpoint, Cost cost, Consumer<Admission.Ticket> begin) {
    new WaitingQuery(ctx, service, admission, begin).enter(endpoint, clients.apply(ctx), cost);
  }

  /** What is asked of the service, on behalf of a client that may be gone. */
  @FunctionalInterface
  interface Question<T> {
    CompletionStage<T> ask(QueryService service, BooleanSupplier gone);
  }

  /** Answers with one JSON object. */
  <T> void answer(
      RoutingContext ctx,
      Endpoint endpoint,
      Cost cost,
      Question<T> question,
      Function<T, byte[]> toJson) {
    if (isHead(ctx)) {
      head(ctx, cost.selection(), JsonBody::putHead);
      return;
    }
    enter(ctx, endpoint, cost, ticket -> answer(ctx, ticket, question, toJson));
  }

  private <T> void answer(
      RoutingContext ctx,
      Admission.Ticket ticket,
      Question<T> question,
      Function<T, byte[]> toJson) {
    Executor lane = ticket.executor();
    Context context = ctx.vertx().getOrCreateContext();
    AtomicBoolean gone = new AtomicBoolean();
    ctx.response().closeHandler(closed -> gone.set(true));
    BodyCoding coding = BodyCoding.of(ctx.request().headers());
    inTime(ctx, asked(() -> question.ask(service.on(lane), gone::get), lane))
        // Answers come in threads of the store, or in that of this connection, which have other
        // work.
        .thenApplyAsync(answer -> JsonBody.of(toJson.apply(answer), coding), lane)
        .whenComplete(
            (body, thrown) ->
                context.runOnContext(
                    ignored -> {
                      if (thrown == null) {
                        ticket.end("ok");
                        body.send(ctx.response());
                      } else if (gone.getAndSet(true)) {
                        ticket.end("cancelled");
                      } else {
                        Failure failure = Failure.of(thrown);
                        ticket.end(failure.outcome());
                        send(failure, ctx, thrown);
                      }
                    }));
  }

  /** Fails once a query has run for as long as any may. */
  private <T> CompletionStage<T> inTime(RoutingContext ctx, CompletionStage<T> answer) {
    long timeoutMillis = service.options().bounds().timeoutMillis();
    CompletableFuture<T> inTime = answer.toCompletableFuture().copy();
    long timer =
        ctx.vertx()
            .setTimer(
                timeoutMillis,
                id -> inTime.completeExceptionally(new QueryTimeoutException(timeoutMillis)));
    return inTime.whenComplete((done, thrown) -> ctx.vertx().cancelTimer(timer));
  }

  private static <T> CompletionStage<T> asked(
      Supplier<CompletionStage<T>> question, Executor executor) {
    try {
      return CompletableFuture.supplyAsync(question, executor).thenCompose(Function.identity());
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** A HEAD costs no query: it has the headers that are known before there is an answer. */
  static boolean isHead(RoutingContext ctx) {
    return ctx.request().method().equals(HttpMethod.HEAD);
  }

  /** Answers a HEAD; what takes time to check is checked on the executor. */
  void head(RoutingContext ctx, Selection selection, UnaryOperator<HttpServerResponse> putHead) {
    if (selection.where().isEmpty()) {
      putHead.apply(ctx.response()).end();
      return;
    }
    Context context = ctx.vertx().getOrCreateContext();
    asked(
            () -> {
              service.check(selection);
              return CompletableFuture.completedFuture(true);
            },
            executor)
        .whenComplete(
            (checked, thrown) ->
                context.runOnContext(
                    ignored -> {
                      if (thrown == null) {
                        putHead.apply(ctx.response()).end();
                      } else {
                        send(Failure.of(thrown), ctx, thrown);
                      }
                    }));
  }

  private static void send(Failure failure, RoutingContext ctx, Throwable thrown) {
    if (failure.isOurs()) {
      log.warn("query failed: {}", ctx.request().uri(), thrown);
    }
    failure.send(ctx);
  }
}
