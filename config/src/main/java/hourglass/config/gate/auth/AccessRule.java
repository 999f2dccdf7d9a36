package hourglass.config.gate.auth;

import hourglass.config.gate.keys.Key;
import hourglass.config.gate.keys.Scope;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The permission that a request needs, by its method and path. Immutable.
 *
 * @param scope null if everybody may send it
 * @param needsAllTypes whether the answer is about all event types, so that a key for some of them
 *     may not read it
 */
record AccessRule(@Nullable Scope scope, boolean needsAllTypes) {
  static final AccessRule OPEN = new AccessRule(null, false);

  static final AccessRule QUERY_ALL = new AccessRule(Scope.QUERY, true);

  private static final AccessRule QUERY = new AccessRule(Scope.QUERY, false);
  private static final AccessRule INGEST = new AccessRule(Scope.INGEST, false);
  private static final AccessRule METRICS = new AccessRule(Scope.METRICS, false);
  private static final AccessRule ERASE = new AccessRule(Scope.ERASE, false);
  private static final AccessRule ADMIN = new AccessRule(Scope.ADMIN, false);

  private static final String QUERIES = "/api/v1/queries";
  private static final String EVENTS = "/api/v1/events";
  private static final String ERASURES = "/api/v1/erasures";

  /** The prefix of Loki's API. All of its paths read, except those of its push and its deletes. */
  private static final String LOKI = "/loki/api/v1/";

  private static final String HOURS = "/api/v1/hours/";

  private static final String COLLECTOR = "/services/collector";

  /** The prefixes of paths that push events or that clients which push ask for. */
  private static final List<String> PUSH_PREFIXES =
      List.of(
          "/elasticsearch",
          "/loki/api/v1/push",
          "/v1/",
          "/otlp/v1/",
          "/opentelemetry.proto.collector.",
          COLLECTOR,
          "/upload");

  private static final Map<String, AccessRule> BY_PATH =
      Map.ofEntries(
          Map.entry("/", OPEN), // the page, or for other clients the name of a protocol's server
          Map.entry("/health/live", OPEN),
          Map.entry("/health/ready", OPEN),
          Map.entry("/openapi.yaml", OPEN),
          Map.entry(COLLECTOR + "/health", OPEN),
          Map.entry(COLLECTOR + "/health/1.0", OPEN),
          Map.entry("/api/v1/session", OPEN), // its route checks the key
          Map.entry("/api/v1/backups", ADMIN),
          Map.entry("/metrics", METRICS),
          Map.entry("/api/v1/plan", QUERY),
          Map.entry("/api/v1/hits", QUERY),
          Map.entry("/api/v1/types", QUERY),
          Map.entry("/api/v1/stats", QUERY),
          Map.entry("/api/v1/top", QUERY),
          Map.entry("/api/v1/fields", QUERY),
          Map.entry("/api/v1/filter", QUERY),
          Map.entry("/api/v1/tail", QUERY),
          Map.entry(QUERIES, QUERY), // of the key itself; those of others for admin
          Map.entry("/api/v1/diagnosis", ADMIN),
          Map.entry("/api/v1/rows", QUERY_ALL),
          Map.entry("/api/v1/rejects", QUERY_ALL),
          Map.entry("/api/v1/retention", ADMIN));

  /**
   * Returns the rule of a route. Returns null for a path without one: such a route is a mistake,
   * and only a key with {@link Scope#ADMIN} reaches it.
   *
   * @param path the normalized path, as the router matches it
   */
  static @Nullable AccessRule of(HttpMethod method, String path) {
    String route =
        path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    if (route.equals(EVENTS) || route.startsWith(EVENTS + "/")) {
      if (method.equals(HttpMethod.DELETE)) {
        return ADMIN;
      }
      return method.equals(HttpMethod.POST) && route.equals(EVENTS) ? INGEST : QUERY;
    }
    if (route.startsWith(HOURS)) {
      return ADMIN;
    }
    if (method.equals(HttpMethod.OPTIONS) && route.startsWith(COLLECTOR)) {
      return OPEN; // Docker asks this way, without its key, whether there is a collector
    }
    if (route.equals(ERASURES)
        || route.startsWith(ERASURES + "/")
        || route.equals(LOKI + "delete")) {
      return ERASE;
    }
    if (route.startsWith(LOKI) && !route.equals(LOKI + "push")) {
      return QUERY;
    }
    if (method.equals(HttpMethod.DELETE) && route.startsWith(QUERIES + "/")) {
      return QUERY;
    }
    AccessRule rule = BY_PATH.get(route);
    return rule == null && isOfPushProtocol(route) ? INGEST : rule;
  }

  /**
   * Returns whether a path belongs to a push protocol. Paths of Elasticsearch begin with the name
   * of an index or an underscore.
   */
  private static boolean isOfPushProtocol(String route) {
    return route.startsWith("/_")
        || route.endsWith("/_bulk")
        || route.endsWith("/_refresh")
        || PUSH_PREFIXES.stream().anyMatch(route::startsWith);
  }

  /**
   * Returns whether a key permits the request. {@link Scope#ADMIN} sees all types, whatever types
   * the key lists.
   */
  boolean allows(Key key) {
    return scope == null
        || key.has(scope) && (!needsAllTypes || key.types().isAll() || key.has(Scope.ADMIN));
  }
}
