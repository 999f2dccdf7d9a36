package hourglass.query.http;

import hourglass.query.fair.Places.Size;
import hourglass.query.service.QueryService;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A request whose query waits for a place, unless one is free at once. It begins and ends on the
 * event loop.
 */
final class WaitingQuery implements QueryLimiter.Waiting {
  /** How often the waiting queries are checked. */
  private static final long LOOK_MILLIS = 100;

  private final RoutingContext ctx;
  private final Context context;
  private final QueryService service;
  private final QueryLimiter limiter;
  private final Consumer<QueryLimiter.Ticket> begin;

  /** {@code begin} receives the ticket on the event loop, once there is a place. */
  WaitingQuery(
      RoutingContext ctx,
      QueryService service,
      QueryLimiter limiter,
      Consumer<QueryLimiter.Ticket> begin) {
    this.ctx = ctx;
    this.service = service;
    this.limiter = limiter;
    this.begin = begin;
    context = ctx.vertx().getOrCreateContext();
  }

  /** Requests the place; call it on the event loop. */
  void enter(Endpoint endpoint, Object client, Cost cost) {
    QueryLimiter.Ticket ticket = limiter.enter(endpoint, client, cost.size(), this);
    if (ticket.isWaiting()) {
      ctx.response().closeHandler(closed -> ticket.end("cancelled"));
      ctx.vertx().setPeriodic(LOOK_MILLIS, timer -> look(ticket, timer));
      if (cost.size() == Size.UNKNOWN) {
        size(ticket, cost);
      }
    }
  }

  private void look(QueryLimiter.Ticket ticket, long timer) {
    if (ticket.isWaiting()) {
      limiter.look();
    } else {
      ctx.vertx().cancelTimer(timer);
    }
  }

  private void size(QueryLimiter.Ticket ticket, Cost cost) {
    try {
      var unused =
          CompletableFuture.supplyAsync(
                  () -> cost.isSmall(service.on(ticket.executor()).until(ticket::hasEnded)),
                  ticket.executor())
              .thenCompose(Function.identity())
              .whenComplete((small, failure) -> ticket.sized(failure == null && small));
    } catch (RejectedExecutionException e) {
      ticket.sized(false); // the server is stopping
    }
  }

  @Override
  public void begin(QueryLimiter.Ticket ticket) {
    if (Vertx.currentContext() == context) {
      beginHere(ticket);
    } else {
      context.runOnContext(ignored -> beginHere(ticket));
    }
  }

  private void beginHere(QueryLimiter.Ticket ticket) {
    if (ticket.hasEnded()) {
      return;
    }
    try {
      begin.accept(ticket);
    } catch (RuntimeException e) {
      Failure failure = Failure.of(e);
      if (ticket.end(failure.outcome())) {
        failure.send(ctx);
      }
    }
  }

  @Override
  public void refuse(String why) {
    context.runOnContext(ignored -> new Failure(429, why, 1, "too_many").send(ctx));
  }
}
