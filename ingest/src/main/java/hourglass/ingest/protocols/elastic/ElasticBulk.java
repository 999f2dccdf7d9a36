package hourglass.ingest.protocols.elastic;

import hourglass.http.UnreadBody;
import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.http.IngestRoutes;
import hourglass.ingest.http.PushProtocol;
import hourglass.ingest.http.PushRefused;
import hourglass.ingest.http.PushRules;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** Serves the paths of Elasticsearch's bulk interface. */
public final class ElasticBulk extends PushProtocol {
  public static final String NAME = "elastic";

  /**
   * The default rules. Events are identified by their content, since clients repeat single
   * documents, and cut their requests anew.
   */
  public static final PushRules DEFAULTS =
      PushRules.ofProtocol(
          new FieldMapping(null, "@timestamp", null, List.of("time", "timestamp", "ts"), null),
          "elasticsearch",
          IdentityRule.CONTENT);

  /**
   * The prefix below which all paths are served again, for clients whose server has other paths
   * too.
   */
  static final String PREFIX = "/elasticsearch";

  private static final String BULK = "/_bulk";

  private static final String RETRY_AFTER_SECONDS = "1";

  private static final String REQUEST = "hourglass.elastic";

  public ElasticBulk(PushRules rules) {
    super(NAME, rules);
  }

  @Override
  public void mount(Router router, IngestRoutes pushes) {
    for (String prefix : List.of("", PREFIX)) {
      for (String path : List.of(prefix + BULK, prefix + "/:index" + BULK)) {
        router.post(path).handler(ctx -> push(ctx, pushes));
        router.put(path).handler(ctx -> push(ctx, pushes));
      }
      Handshake.mount(router, prefix);
    }
  }

  private void push(RoutingContext ctx, IngestRoutes pushes) {
    String index = ctx.pathParam("index");
    if (index != null && index.length() > IndexName.CHARS_MAX) {
      // Each item of the answer contains the index.
      UnreadBody.discard(ctx);
      refuse(ctx, new PushRefused(400, "index: more than " + IndexName.CHARS_MAX + " characters"));
    } else {
      BulkRequest request = new BulkRequest(index);
      ctx.put(REQUEST, request);
      pushes.push(this, ctx, request);
    }
  }

  /** Begins an answer. Clients accept no answer without the header of the product. */
  static HttpServerResponse begin(RoutingContext ctx, int status) {
    return ctx.response()
        .setStatusCode(status)
        .putHeader("X-Elastic-Product", "Elasticsearch")
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json");
  }

  /**
   * Mounts a handler on the paths of Elasticsearch. One of their first three parts begins with an
   * underscore.
   */
  @Override
  public void mountForm(Router router, Handler<RoutingContext> form) {
    for (String path : List.of("/_*", "/:any/_*", "/:any/:other/_*", PREFIX + "/*")) {
      router.route(path).handler(form);
    }
  }

  @Override
  public void refuse(RoutingContext ctx, PushRefused refused) {
    if (ctx.response().closed() || ctx.response().ended()) {
      return;
    }
    String path = ctx.normalizedPath();
    boolean isBulk = path.endsWith(BULK) || path.endsWith(BULK + "/");
    if (isBulk && mayBeMended(refused) && ctx.request().getHeader(HttpHeaders.USER_AGENT) == null) {
      breakOff(ctx, refused);
    } else if (isBulk && refused.isTransient()) {
      overloaded(ctx, refused);
    } else {
      HttpServerResponse response = begin(ctx, refused.status());
      refused.putHeader(response);
      ElasticError error = ElasticError.of(refused.status(), refused.detail());
      response.end("{" + error.members() + "}");
    }
  }

  /**
   * Returns whether the same request may pass once there is room, or its key has been corrected.
   */
  private static boolean mayBeMended(PushRefused refused) {
    return refused.isTransient() || refused.status() == 401 || refused.status() == 403;
  }

  /** Answers with 503, the only status that means a repeat to all clients. */
  private static void overloaded(RoutingContext ctx, PushRefused refused) {
    HttpServerResponse response = begin(ctx, 503);
    refused.putHeader(response);
    if (!response.headers().contains(HttpHeaders.RETRY_AFTER)) {
      response.putHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
    }
    ElasticError error = ElasticError.of(503, refused.detail());
    BulkRequest request = ctx.get(REQUEST);
    BulkItems items = request == null ? null : request.items();
    if (items == null) {
      response.end("{\"took\":0,\"errors\":true,\"items\":[]," + error.members() + "}");
    } else {
      BulkAnswer.sendOverloaded(response, items, error);
    }
  }

  /**
   * Answers, and breaks the connection off. The module of rsyslog, which sends no User-Agent,
   * repeats a batch only where the connection fails: after any whole answer it drops the batch.
   */
  private static void breakOff(RoutingContext ctx, PushRefused refused) {
    ElasticError error =
        ElasticError.of(refused.isTransient() ? 503 : refused.status(), refused.detail());
    begin(ctx, error.status())
        .setChunked(true)
        .write("{" + error.members() + "}")
        .onComplete(written -> ctx.request().connection().close());
  }
}
