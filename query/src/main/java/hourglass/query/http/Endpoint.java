package hourglass.query.http;

import java.util.Set;

/** What this service answers, and the parameters that each answer takes. */
enum Endpoint {
  EVENTS(
      "/api/v1/events",
      "type",
      "hour",
      "from",
      "to",
      "order",
      "limit",
      "cursor",
      "contains",
      "fields",
      "format"),
  HITS("/api/v1/hits", "type", "hour", "from", "to", "step", "by"),
  TYPES("/api/v1/types", "type", "hour", "from", "to"),
  ROWS("/api/v1/rows", "type", "hour", "from", "to"),
  OPENAPI("/openapi.yaml");

  private final String path;
  private final Set<String> parameters;

  Endpoint(String path, String... parameters) {
    this.path = path;
    this.parameters = Set.of(parameters);
  }

  String path() {
    return path;
  }

  Set<String> parameters() {
    return parameters;
  }

  /** The name in metrics. */
  String tag() {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
