package hourglass.query.http;

import hourglass.access.Client;
import hourglass.bucketing.Ticks;
import hourglass.query.BadParameterException;
import hourglass.query.http.RunningQueries.RunningQuery;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the queries under way, and ends one. A client sees and ends its own; others are as if they
 * did not exist. Thread-safe.
 */
public final class RunningQueryRoutes {
  private static final Logger logger = LoggerFactory.getLogger(RunningQueryRoutes.class);

  private final QueryRunner runner;
  private final RunningQueries running;
  private final Function<RoutingContext, Client> clients;
  private final Predicate<RoutingContext> maySeeAll;
  private final BiConsumer<RoutingContext, Client> endsForOther;

  /**
   * @param maySeeAll whether a request may list and end the queries of all clients
   * @param endsForOther receives a request that has ended a query of another client, and that
   *     client, before the answer
   */
  public RunningQueryRoutes(
      QueryRunner runner,
      Predicate<RoutingContext> maySeeAll,
      BiConsumer<RoutingContext, Client> endsForOther) {
    this.runner = runner;
    this.endsForOther = endsForOther;
    this.running = runner.limiter().running();
    this.clients = runner.clients();
    this.maySeeAll = maySeeAll;
  }

  public void mount(Router router) {
    Endpoint.QUERIES.mount(
        router,
        (ctx, parameters) -> list(ctx),
        (ctx, failure) -> runner.refuse(ctx, Endpoint.QUERIES, failure));
    router.delete(Endpoint.QUERIES.path() + "/:id").handler(this::end);
  }

  private void list(RoutingContext ctx) {
    JsonArray queries = new JsonArray();
    running.all().stream()
        .filter(query -> isVisible(query, ctx))
        .map(RunningQueryRoutes::json)
        .forEach(queries::add);
    ctx.response().putHeader("Cache-Control", "no-store");
    FilterAnswer.send(ctx, new JsonObject().put("queries", queries).toBuffer());
  }

  private boolean isVisible(RunningQuery query, RoutingContext ctx) {
    return maySeeAll.test(ctx) || query.client().share().equals(clients.apply(ctx).share());
  }

  private static JsonObject json(RunningQuery query) {
    return new JsonObject()
        .put("id", query.id())
        .put("client", query.client().share().toString())
        .put("question", query.question())
        .put("rows", query.reads().rows())
        .put("bytes", query.reads().bytes())
        .put("since", Ticks.text(Ticks.of(query.since())));
  }

  private void end(RoutingContext ctx) {
    String id = ctx.pathParam("id");
    RunningQuery query;
    try {
      query = visible(ctx, id);
    } catch (BadParameterException e) {
      ctx.fail(new HttpException(400, e.getMessage()));
      return;
    }
    if (query == null) {
      notFound(ctx, id);
      return;
    }
    Future.fromCompletionStage(
            query.cancel().apply(Failure.killed(id)), ctx.vertx().getOrCreateContext())
        .onSuccess(
            ends -> {
              if (ends) {
                ended(ctx, query);
              } else {
                notFound(ctx, id);
              }
            })
        .onFailure(ctx::fail);
  }

  /**
   * Returns the query of the request's own client that has this id, or else that of another one if
   * it is visible; null if there is none.
   */
  private @Nullable RunningQuery visible(RoutingContext ctx, String id) {
    RunningQuery own = running.of(clients.apply(ctx), id);
    String wanted = ctx.queryParams().get("client");
    if (own != null && wanted == null) {
      return own;
    }
    List<RunningQuery> all =
        running.named(id).stream()
            .filter(query -> isVisible(query, ctx))
            .filter(query -> wanted == null || query.client().share().toString().equals(wanted))
            .toList();
    if (all.size() > 1) {
      throw new BadParameterException(
          "client: %d clients have a query \"%s\"; want one of them, as %s lists it"
              .formatted(all.size(), id, Endpoint.QUERIES.path()));
    }
    return all.isEmpty() ? null : all.get(0);
  }

  private void ended(RoutingContext ctx, RunningQuery query) {
    Client by = clients.apply(ctx);
    logger.info("query {} of {} was ended by {}", query.id(), query.client().share(), by.share());
    if (!query.client().share().equals(by.share())) {
      endsForOther.accept(ctx, query.client());
    }
    ctx.response().setStatusCode(204).end();
  }

  private static void notFound(RoutingContext ctx, String id) {
    ctx.fail(new HttpException(404, "id: no query \"%s\" is under way".formatted(id)));
  }
}
