package hourglass.query.http;

import hourglass.access.Client;
import hourglass.bucketing.Ticks;
import hourglass.query.http.RunningQueries.RunningQuery;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.util.function.Function;
import java.util.function.Predicate;
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

  /**
   * @param maySeeAll whether a request may list and end the queries of all clients
   */
  public RunningQueryRoutes(QueryRunner runner, Predicate<RoutingContext> maySeeAll) {
    this.runner = runner;
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
    RunningQuery query = running.named(id);
    if (query == null || !isVisible(query, ctx)) {
      notFound(ctx, id);
      return;
    }
    Future.fromCompletionStage(
            query.cancel().apply(Failure.killed(id)), ctx.vertx().getOrCreateContext())
        .onSuccess(
            ends -> {
              if (ends) {
                logger.info(
                    "query {} of {} was ended by {}",
                    id,
                    query.client().share(),
                    clients.apply(ctx).share());
                ctx.response().setStatusCode(204).end();
              } else {
                notFound(ctx, id);
              }
            })
        .onFailure(ctx::fail);
  }

  private static void notFound(RoutingContext ctx, String id) {
    ctx.fail(new HttpException(404, "id: no query \"%s\" is under way".formatted(id)));
  }
}
