package hourglass.query.http;

import java.util.List;
import java.util.Set;

/**
 * Something that this service answers.
 *
 * @param path where
 * @param parameters the names that it takes
 */
record Endpoint(String path, Set<String> parameters) {
  static final Endpoint EVENTS =
      of(
          "/api/v1/events",
          "type",
          "hour",
          "from",
          "to",
          "order",
          "limit",
          "cursor",
          "contains",
          "where",
          "fields",
          "format");
  static final Endpoint HITS =
      of("/api/v1/hits", "type", "hour", "from", "to", "contains", "where", "step", "by");
  static final Endpoint TYPES =
      of("/api/v1/types", "type", "hour", "from", "to", "contains", "where");
  static final Endpoint ROWS = of("/api/v1/rows", "type", "hour", "from", "to");
  static final Endpoint OPENAPI = of("/openapi.yaml");

  static final List<Endpoint> ALL = List.of(EVENTS, HITS, TYPES, ROWS, OPENAPI);

  private static Endpoint of(String path, String... parameters) {
    return new Endpoint(path, Set.of(parameters));
  }

  /** The name in metrics. */
  String tag() {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
