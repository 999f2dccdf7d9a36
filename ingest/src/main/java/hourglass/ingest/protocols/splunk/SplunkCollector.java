package hourglass.ingest.protocols.splunk;

import hourglass.bucketing.EventType;
import hourglass.ingest.Verdicts;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.http.ProtocolRules;
import hourglass.ingest.http.PushProtocol;
import hourglass.ingest.http.PushRefused;
import hourglass.ingest.http.UnreadBody;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The paths and answers of Splunk's HTTP Event Collector. */
public final class SplunkCollector extends PushProtocol {
  public static final String NAME = "splunk";

  /** By content: Docker's driver repeats events in other batches than before. */
  public static final ProtocolRules DEFAULTS = ProtocolRules.of("hec", IdentityRule.CONTENT);

  private static final String ROOT = "/services/collector";
  private static final List<String> EVENTS = List.of(ROOT, ROOT + "/event", ROOT + "/event/1.0");
  private static final List<String> LINES = List.of(ROOT + "/raw", ROOT + "/raw/1.0");
  private static final List<String> HEALTH = List.of(ROOT + "/health", ROOT + "/health/1.0");
  private static final String ACK = ROOT + "/ack";

  // Splunk's codes.
  private static final int SUCCESS = 0;
  private static final int NO_TOKEN = 2;
  private static final int INVALID_TOKEN = 4;
  private static final int NO_DATA = 5;
  private static final int INVALID_DATA = 6;
  private static final int INTERNAL = 8;
  private static final int BUSY = 9;
  private static final int NO_ACKS = 14;
  private static final int HEALTHY = 17;

  public SplunkCollector(ProtocolRules rules) {
    super(NAME, rules);
  }

  @Override
  public void mount(Router router, Pushes pushes) {
    for (String path : EVENTS) {
      router.post(path).handler(ctx -> pushes.handle(ctx, new EventRequest()));
    }
    for (String path : LINES) {
      router.post(path).handler(ctx -> pushes.handle(ctx, new RawRequest(ctx.request())));
    }
    for (String path : HEALTH) {
      router
          .route(path)
          .method(HttpMethod.GET)
          .method(HttpMethod.HEAD)
          .handler(ctx -> answer(ctx, 200, "HEC is healthy", HEALTHY));
    }
    // Docker's driver asks so, without its token, whether there is a collector, and wants 200.
    EVENTS.forEach(path -> router.options(path).handler(SplunkCollector::options));
    router.post(ACK).handler(SplunkCollector::noAcks);
  }

  /** The first that can be a type, or null. */
  static @Nullable String type(@Nullable String sourcetype, @Nullable String source) {
    if (sourcetype != null && EventType.isValid(sourcetype)) {
      return sourcetype;
    }
    return source != null && EventType.isValid(source) ? source : null;
  }

  private static void options(RoutingContext ctx) {
    UnreadBody.discard(ctx);
    ctx.response().putHeader(HttpHeaders.ALLOW, "POST, OPTIONS").end();
  }

  /** An answer of success is the acknowledgement: there is nothing more to ask for. */
  private static void noAcks(RoutingContext ctx) {
    UnreadBody.discard(ctx);
    answer(ctx, 400, "ACK is disabled", NO_ACKS);
  }

  @Override
  public boolean owns(String path) {
    return path.startsWith(ROOT);
  }

  @Override
  public void refuse(RoutingContext ctx, PushRefused refused) {
    refused.putHeader(ctx.response());
    switch (refused.status()) {
      case 401 -> unauthorized(ctx, refused);
      case 403 -> answer(ctx, 403, "Invalid token", INVALID_TOKEN, refused);
      case 408, 429, 503 -> answer(ctx, 503, "Server is busy", BUSY, refused);
      case 500 -> answer(ctx, 500, "Internal server error", INTERNAL, refused);
      case 404, 405 -> answer(ctx, refused.status(), refused.detail(), refused.status());
      default -> answer(ctx, refused.status(), refused.detail(), INVALID_DATA);
    }
  }

  /** Splunk tells a missing token, 401, from a wrong one, 403. */
  private static void unauthorized(RoutingContext ctx, PushRefused refused) {
    if (ctx.request().headers().contains(HttpHeaders.AUTHORIZATION)) {
      answer(ctx, 403, "Invalid token", INVALID_TOKEN, refused);
    } else {
      answer(ctx, 401, "Token is required", NO_TOKEN, refused);
    }
  }

  /** Answers events that are JSON, whatever became of them. */
  static void answer(RoutingContext ctx, Verdicts verdicts) {
    if (verdicts.accepted() > 0) {
      answer(ctx, 200, "Success", SUCCESS);
    } else if (verdicts.rejected() == 0) {
      answer(ctx, 400, "No data", NO_DATA);
    } else {
      Verdicts.ItemError first = verdicts.errors().get(0);
      invalid(ctx, first.index(), first.reason());
    }
  }

  static void invalid(RoutingContext ctx, int event, String problem) {
    JsonObject json = json("Invalid data format", INVALID_DATA);
    answer(ctx, 400, json.put("invalid-event-number", event).put("detail", problem));
  }

  private static JsonObject json(String text, int code) {
    return new JsonObject().put("text", text).put("code", code);
  }

  private static void answer(RoutingContext ctx, int status, String text, int code) {
    answer(ctx, status, json(text, code));
  }

  /** Splunk's text, and for a reader the reason. */
  private static void answer(
      RoutingContext ctx, int status, String text, int code, PushRefused refused) {
    answer(ctx, status, json(text, code).put("detail", refused.detail()));
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
