package hourglass.query.http;

import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * An endpoint of the query service.
 *
 * @param tag its name in metrics
 * @param parameters the names of the query parameters that it accepts
 */
public record Endpoint(String path, String tag, Set<String> parameters) {
  private static final String SELECTION = "type hour from to q contains icase word where timeout ";
  private static final String OF_EVENTS =
      SELECTION
          + "order limit cursor around fields csv_safe format progress partial download filename";

  static final Endpoint EVENTS = of("/api/v1/events", OF_EVENTS);
  static final Endpoint EVENT = of("/api/v1/events/{id}", "type timeout");
  static final Endpoint PLAN = of("/api/v1/plan", OF_EVENTS);
  static final Endpoint HITS = of("/api/v1/hits", SELECTION + "step by groups partial");
  static final Endpoint TYPES = of("/api/v1/types", SELECTION + "partial");
  static final Endpoint STATS = of("/api/v1/stats", SELECTION + "field by groups step partial");
  static final Endpoint TOP = of("/api/v1/top", SELECTION + "field n by groups partial");
  static final Endpoint FIELDS = of("/api/v1/fields", SELECTION + "prefix n sample partial");
  static final Endpoint ROWS = of("/api/v1/rows", "type hour from to timeout");
  static final Endpoint TAIL = of("/api/v1/tail", "type q contains icase word where since");
  static final Endpoint FILTER = of("/api/v1/filter", "q and on_refused");
  static final Endpoint QUERIES = new Endpoint("/api/v1/queries", "queries", Set.of());
  static final Endpoint OPENAPI = new Endpoint("/openapi.yaml", "openapi.yaml", Set.of());

  static final List<Endpoint> ALL =
      List.of(
          EVENTS, EVENT, PLAN, HITS, TYPES, STATS, TOP, FIELDS, ROWS, TAIL, FILTER, QUERIES,
          OPENAPI);

  private static Endpoint of(String path, String parameters) {
    String tag = path.endsWith("{id}") ? "event" : path.substring(path.lastIndexOf('/') + 1);
    return new Endpoint(path, tag, Set.of(parameters.split(" ", -1)));
  }

  /**
   * Adds the endpoint to a router. The handler may throw; {@code onFailure} then answers with the
   * failure.
   */
  void mount(
      Router router,
      BiConsumer<RoutingContext, QueryParameters> handler,
      BiConsumer<RoutingContext, RuntimeException> onFailure) {
    router
        .route(path.replaceAll("\\{(\\w+)}", ":$1"))
        .method(HttpMethod.GET)
        .method(HttpMethod.HEAD)
        .handler(
            ctx -> {
              try {
                handler.accept(ctx, new QueryParameters(ctx.queryParams(), this));
              } catch (RuntimeException e) {
                onFailure.accept(ctx, e);
              }
            });
  }
}
