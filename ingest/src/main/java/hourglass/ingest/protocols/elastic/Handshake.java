package hourglass.ingest.protocols.elastic;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/**
 * Answers the questions that clients ask before their first bulk, so that they continue. The
 * version is one that Beats, Logstash and the clients of 7, 8 and 9 accept. Only clients of
 * OpenSearch read its distribution, and they refuse another. Templates, policies and pipelines are
 * acknowledged and not kept: events are stored as they are sent.
 */
final class Handshake {
  private static final String INFO =
      """
      {"name":"hourglass","cluster_name":"hourglass","cluster_uuid":"aG91cmdsYXNzLWxvZy0wMQ",\
      "version":{"distribution":"opensearch","number":"8.15.0","build_flavor":"default","build_type":"tar","build_hash":"hourglass",\
      "build_date":"2024-08-05T00:00:00.000Z","build_snapshot":false,"lucene_version":"9.11.1",\
      "minimum_wire_compatibility_version":"7.17.0","minimum_index_compatibility_version":"7.0.0"},\
      "tagline":"You Know, for Search"}""";

  private static final String LICENSE =
      """
      {"license":{"uid":"aG91cmdsYXNzLWxvZy0wMQ","type":"basic","status":"active",\
      "expiry_date_in_millis":4000000000000}}""";

  private static final String HEALTH =
      """
      {"cluster_name":"hourglass","status":"green","number_of_nodes":1}""";

  private static final String NOTHING = "{}";
  private static final String ACKNOWLEDGED = "{\"acknowledged\":true}";

  /** The paths below which clients set up things. */
  private static final List<String> SET_UP =
      List.of("/_index_template/*", "/_ilm/policy/*", "/_ingest/pipeline/*");

  private Handshake() {}

  static void mount(Router router, String prefix) {
    get(router, prefix.isEmpty() ? "/" : prefix, INFO);
    get(router, prefix + "/_license", LICENSE);
    get(router, prefix + "/_cluster/health", HEALTH);
    get(router, prefix + "/_cat/health", HEALTH);
    for (String path : SET_UP) {
      get(router, prefix + path, NOTHING);
      router.put(prefix + path).handler(ctx -> answer(ctx, ACKNOWLEDGED));
    }
    get(router, prefix + "/_nodes*", NOTHING);
    get(router, prefix + "/_logstash/*", NOTHING);
    String refresh = prefix + "/:index/_refresh";
    get(router, refresh, NOTHING);
    router.post(refresh).handler(ctx -> answer(ctx, NOTHING));
  }

  private static void get(Router router, String path, String body) {
    router
        .route(path)
        .method(HttpMethod.GET)
        .method(HttpMethod.HEAD)
        .handler(
            ctx -> {
              boolean isRoot = path.equals("/");
              if (isRoot && (isBrowser(ctx) || !ctx.request().path().equals(path))) {
                ctx.next(); // a path such as /../ is not this one
              } else {
                answer(ctx, body);
              }
            });
  }

  /** Returns whether a browser asks. At {@code /} it gets the page. */
  private static boolean isBrowser(RoutingContext ctx) {
    String accept = ctx.request().getHeader(HttpHeaders.ACCEPT);
    return accept != null && accept.contains("text/html");
  }

  private static void answer(RoutingContext ctx, String body) {
    HttpServerResponse response = ElasticBulk.begin(ctx, 200);
    if (ctx.normalizedPath().equals("/")) {
      response.putHeader(HttpHeaders.VARY, "Accept");
    }
    if (ctx.request().method().equals(HttpMethod.HEAD)) {
      response.putHeader(HttpHeaders.CONTENT_LENGTH, String.valueOf(body.length())).end();
    } else {
      response.end(body);
    }
  }
}
