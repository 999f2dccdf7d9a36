package hourglass.ingest.protocols.elastic;

import hourglass.http.UnreadBody;
import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.http.ProtocolRules;
import hourglass.ingest.http.PushProtocol;
import hourglass.ingest.http.PushRefused;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** The paths and answers of Elasticsearch's bulk interface. */
public final class ElasticBulk extends PushProtocol {
  public static final String NAME = "elastic";

  /** By content: clients repeat single documents, and cut their requests anew. */
  public static final ProtocolRules DEFAULTS =
      new ProtocolRules(
          new FieldMapping(null, "@timestamp", null, List.of("time", "timestamp", "ts"), null),
          "elasticsearch",
          IdentityRule.CONTENT);

  /** Below it are all paths again, for clients whose server has other paths too. */
  static final String PREFIX = "/elasticsearch";

  private static final String BULK = "/_bulk";

  private static final String RETRY_AFTER_SECONDS = "1";

  private static final String REQUEST = "hourglass.elastic";

  public ElasticBulk(ProtocolRules rules) {
    super(NAME, rules);
  }

  @Override
  public void mount(Router router, Pushes pushes) {
    for (String prefix : List.of("", PREFIX)) {
      for (String path : List.of(prefix + BULK, prefix + "/:index" + BULK)) {
        router.post(path).handler(ctx -> push(ctx, pushes));
        router.put(path).handler(ctx -> push(ctx, pushes));
      }
      Handshake.mount(router, prefix);
    }
  }

  private void push(RoutingContext ctx, Pushes pushes) {
    String index = ctx.pathParam("index");
    if (index != null && index.length() > IndexName.CHARS_MAX) {
      // Each item of the answer has it.
      UnreadBody.discard(ctx);
      refuse(ctx, new PushRefused(400, "index: more than " + IndexName.CHARS_MAX + " characters"));
    } else {
      BulkRequest request = new BulkRequest(index);
      ctx.put(REQUEST, request);
      pushes.handle(ctx, request);
    }
  }

  /** The answer's head. Clients take no answer without the header of the product. */
  static HttpServerResponse begin(RoutingContext ctx, int status) {
    return ctx.response()
        .setStatusCode(status)
        .putHeader("X-Elastic-Product", "Elasticsearch")
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json");
  }

  /** All paths of Elasticsearch have a part that begins with an underscore. */
  @Override
  public boolean owns(String path) {
    return path.contains("/_") || path.equals(PREFIX) || path.startsWith(PREFIX + "/");
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

  /** Whether the same request may pass once there is room, or its key has been put right. */
  private static boolean mayBeMended(PushRefused refused) {
    return refused.isTransient() || refused.status() == 401 || refused.status() == 403;
  }

  /** Of the statuses that mean a repeat, all clients know this one. */
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
   * The module of rsyslog, which has no User-Agent, repeats a batch only where the connection
   * fails: it drops what it holds for any answer that is whole.
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
