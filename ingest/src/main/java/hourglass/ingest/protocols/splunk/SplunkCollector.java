package hourglass.ingest.protocols.splunk;

import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.http.ProtocolRules;
import hourglass.ingest.http.PushProtocol;
import hourglass.ingest.http.PushRefused;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** The paths and answers of Splunk's HTTP Event Collector. */
public final class SplunkCollector implements PushProtocol {
  public static final String NAME = "splunk";

  public static final ProtocolRules DEFAULTS = ProtocolRules.of("hec", IdentityRule.BODY);

  private static final String ROOT = "/services/collector";

  // Splunk's codes.
  private static final int NO_DATA = 5;
  private static final int INVALID_DATA = 6;
  private static final int INVALID_TOKEN = 4;
  private static final int BUSY = 9;
  private static final int INTERNAL = 8;

  private final ProtocolRules rules;

  public SplunkCollector(ProtocolRules rules) {
    this.rules = rules;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public ProtocolRules rules() {
    return rules;
  }

  @Override
  public void mount(Router router, Pushes pushes) {
    for (String path : List.of(ROOT, ROOT + "/event", ROOT + "/event/1.0")) {
      router.post(path).handler(ctx -> pushes.handle(ctx, new EventRequest()));
    }
    router.get(ROOT + "/health").handler(ctx -> answer(ctx, 200, "HEC is healthy", 17));
  }

  @Override
  public boolean owns(String path) {
    return path.startsWith(ROOT);
  }

  @Override
  public void refuse(RoutingContext ctx, PushRefused refused) {
    refused.putHeader(ctx.response());
    switch (refused.status()) {
      case 401, 403 -> answer(ctx, refused.status(), "Invalid token", INVALID_TOKEN);
      case 408, 429, 503 -> answer(ctx, 503, "Server is busy", BUSY);
      case 500 -> answer(ctx, 500, "Internal server error", INTERNAL);
      default -> answer(ctx, refused.status(), refused.detail(), INVALID_DATA);
    }
  }

  static void noData(RoutingContext ctx) {
    answer(ctx, 400, "No data", NO_DATA);
  }

  static void answer(RoutingContext ctx, int status, String text, int code) {
    answer(ctx, status, new JsonObject().put("text", text).put("code", code));
  }

  static void invalid(RoutingContext ctx, int event, String problem) {
    JsonObject json = new JsonObject().put("text", "Invalid data format: " + problem);
    answer(ctx, 400, json.put("code", INVALID_DATA).put("invalid-event-number", event));
  }

  private static void answer(RoutingContext ctx, int status, JsonObject json) {
    HttpServerResponse response = ctx.response();
    if (!response.closed() && !response.ended()) {
      response
          .setStatusCode(status)
          .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
          .end(json.toBuffer());
    }
  }
}
