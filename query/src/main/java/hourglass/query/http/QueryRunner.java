package hourglass.query.http;

import hourglass.query.AnswerBody;
import hourglass.query.AnswerFacts;
import hourglass.query.Counted;
import hourglass.query.Selection;
import hourglass.query.fair.AnswerBytes;
import hourglass.query.service.QueryService;
import io.vertx.core.Context;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a request from its admission to its answer. Queries start on the executor, since a store may
 * work in the calling thread. Answers are written on the event loop, within the time limit.
 * Thread-safe.
 */
final class QueryRunner {
  private static final Logger log = LoggerFactory.getLogger(QueryRunner.class);

  private final QueryService service;
  private final Executor executor;
  private final Clock clock;
  private final QueryLimiter limiter;
  private final AnswerBytes bytes;
  private final Function<RoutingContext, Object> clients;

  /**
   * Creates a runner for all requests.
   *
   * @param executor runs checks that need no place
   * @param clock measures running times and stalls of clients
   * @param bytes the memory of all answers
   * @param clients identifies the client of a request, for fair shares
   */
  QueryRunner(
      QueryService service,
      Executor executor,
      Clock clock,
      QueryLimiter limiter,
      AnswerBytes bytes,
      Function<RoutingContext, Object> clients) {
    this.service = service;
    this.executor = executor;
    this.clock = clock;
    this.limiter = limiter;
    this.bytes = bytes;
    this.clients = clients;
  }

  /** Answers a request that cannot become a query with an error. */
  void refuse(RoutingContext ctx, Endpoint endpoint, RuntimeException why) {
    Failure failure = Failure.of(why);
    limiter.refused(endpoint, failure.outcome());
    send(failure, ctx, why);
  }

  /** The parts that the store lacks of the hours of a selection. */
  List<String> missing(Selection selection) {
    return service.missing(selection);
  }

  /** Answers with one JSON object. */
  <T> void answer(
      RoutingContext ctx,
      Endpoint endpoint,
      Cost cost,
      Function<QueryService, CompletionStage<T>> question,
      Function<T, AnswerParts> toParts) {
    answer(ctx, endpoint, cost, question, toParts, known -> facts(cost));
  }

  /** Answers with one JSON object that was counted from rows. */
  <T> void answerCounted(
      RoutingContext ctx,
      Endpoint endpoint,
      Cost cost,
      Function<QueryService, CompletionStage<Counted<T>>> question,
      Function<Counted<T>, AnswerParts> toParts) {
    answer(ctx, endpoint, cost, question, toParts, Counted::facts);
  }

  private AnswerFacts facts(Cost cost) {
    return AnswerFacts.lacking(service.missing(cost.selection()));
  }

  private <T> void answer(
      RoutingContext ctx,
      Endpoint endpoint,
      Cost cost,
      Function<QueryService, CompletionStage<T>> question,
      Function<T, AnswerParts> toParts,
      Function<T, AnswerFacts> toFacts) {
    AnswerHead head = AnswerHead.ofJson(BodyCoding.of(ctx.request().headers()));
    BodySource body = on -> new PartsStream<>(question.apply(on), toParts, toFacts);
    // Most are small: an answer that fits into its chunks is sent whole, with a Content-Length.
    answer(ctx, endpoint, cost, cost.selection(), head, true, body);
  }

  /** Begins the body of an answer. */
  @FunctionalInterface
  interface BodySource {
    AnswerBody begin(QueryService on);
  }

  /**
   * Streams the body of an answer.
   *
   * @param selection checked for a HEAD
   * @param limited whether a body that fits into its chunks is sent whole
   */
  void answer(
      RoutingContext ctx,
      Endpoint endpoint,
      Cost cost,
      Selection selection,
      AnswerHead head,
      boolean limited,
      BodySource body) {
    if (isHead(ctx)) {
      head(ctx, selection, head::put);
      return;
    }
    new WaitingQuery(ctx, service, limiter, ticket -> begin(ctx, head, limited, body, ticket))
        .enter(endpoint, clients.apply(ctx), cost);
  }

  private void begin(
      RoutingContext ctx,
      AnswerHead head,
      boolean limited,
      BodySource body,
      QueryLimiter.Ticket ticket) {
    AnswerBytes.Account account = bytes.open();
    QueryService on = service.on(ticket.executor()).with(account).until(ticket::hasEnded);
    Supplier<AnswerBody> source = () -> body.begin(on);
    new ResponseStream(ctx, head, source, limited, service.options(), clock, ticket, account)
        .start();
  }

  /** A HEAD runs no query, and has the headers that are known without one. */
  private static boolean isHead(RoutingContext ctx) {
    return ctx.request().method().equals(HttpMethod.HEAD);
  }

  /** Answers a HEAD. An expression is checked on the executor, since that takes time. */
  private void head(
      RoutingContext ctx, Selection selection, UnaryOperator<HttpServerResponse> putHead) {
    if (selection.where().isEmpty()) {
      putHead.apply(ctx.response()).end();
      return;
    }
    Context context = ctx.vertx().getOrCreateContext();
    checked(selection)
        .whenComplete(
            (done, thrown) ->
                context.runOnContext(
                    ignored -> {
                      if (thrown == null) {
                        putHead.apply(ctx.response()).end();
                      } else {
                        send(Failure.of(thrown), ctx, thrown);
                      }
                    }));
  }

  private CompletionStage<Void> checked(Selection selection) {
    try {
      return CompletableFuture.runAsync(() -> service.check(selection), executor);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static void send(Failure failure, RoutingContext ctx, Throwable thrown) {
    if (failure.isOurs()) {
      log.warn("query failed: {}", ctx.request().uri(), thrown);
    }
    failure.send(ctx);
  }
}
