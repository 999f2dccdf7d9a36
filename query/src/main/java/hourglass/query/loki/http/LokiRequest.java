package hourglass.query.loki.http;

import io.vertx.ext.web.RoutingContext;

/**
 * One request.
 *
 * @param name the name in its path
 * @param categorizes whether each line states its structured metadata and parsed labels separately
 */
record LokiRequest(LokiParameters parameters, String name, boolean categorizes) {
  private static final String ENCODING = "X-Loki-Response-Encoding-Flags";
  private static final String CATEGORIZE = "categorize-labels";

  static LokiRequest of(RoutingContext ctx, LokiParameters parameters) {
    String flags = ctx.request().getHeader(ENCODING);
    return new LokiRequest(
        parameters,
        String.valueOf(ctx.pathParam("name")),
        flags != null && flags.contains(CATEGORIZE));
  }
}
