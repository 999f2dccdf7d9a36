package hourglass.ingest.protocols.splunk;

import hourglass.bucketing.EventType;
import hourglass.http.UnreadBody;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.http.IngestRoutes;
import hourglass.ingest.http.PushProtocol;
import hourglass.ingest.http.PushRefused;
import hourglass.ingest.http.PushRules;
import hourglass.ingest.service.Verdicts;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Serves the paths of Splunk's HTTP Event Collector. */
public final class SplunkCollector extends PushProtocol {
  public static final String NAME = "splunk";

  /**
   * The default rules. Events are identified by their content, since Docker's driver repeats events
   * in other batches than before.
   */
  public static final PushRules DEFAULTS = PushRules.ofProtocol("hec", IdentityRule.CONTENT);

  private static final String ROOT = "/services/collector";
  private static final List<String> EVENTS = List.of(ROOT, ROOT + "/event", ROOT + "/event/1.0");
  private static final List<String> LINES = List.of(ROOT + "/raw", ROOT + "/raw/1.0");
  private static final List<String> HEALTH = List.of(ROOT + "/health", ROOT + "/health/1.0");
  private static final String ACK = ROOT + "/ack";

  public SplunkCollector(PushRules rules) {
    super(NAME, rules);
  }

  @Override
  public void mount(Router router, IngestRoutes pushes) {
    for (String path : EVENTS) {
      router.post(path).handler(ctx -> pushes.push(this, ctx, new EventRequest()));
    }
    for (String path : LINES) {
      router.post(path).handler(ctx -> pushes.push(this, ctx, new RawRequest(ctx.request())));
    }
    for (String path : HEALTH) {
      router
          .route(path)
          .method(HttpMethod.GET)
          .method(HttpMethod.HEAD)
          .handler(ctx -> answer(ctx, HecStatus.HEALTHY));
    }
    // Docker's driver asks with OPTIONS, and without its token, whether there is a collector; it
    // requires 200.
    EVENTS.forEach(path -> router.options(path).handler(SplunkCollector::options));
    router.post(ACK).handler(SplunkCollector::noAcks);
  }

  /** Returns the first of both texts that can be a type, or null. */
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

  /**
   * Answers that acknowledgements are off. An answer of success is the acknowledgement, so there is
   * nothing more to ask for.
   */
  private static void noAcks(RoutingContext ctx) {
    UnreadBody.discard(ctx);
    answer(ctx, HecStatus.NO_ACKS);
  }

  @Override
  public void mountForm(Router router, Handler<RoutingContext> form) {
    router.route(ROOT + "*").handler(form);
  }

  @Override
  public void refuse(RoutingContext ctx, PushRefused refused) {
    refused.putHeader(ctx.response());
    switch (refused.status()) {
      case 401 -> unauthorized(ctx, refused);
      case 403 -> answer(ctx, HecStatus.INVALID_TOKEN, refused);
      case 408, 429, 503 -> answer(ctx, HecStatus.BUSY, refused);
      case 500 -> answer(ctx, HecStatus.INTERNAL, refused);
      case 404, 405 -> answer(ctx, refused.status(), json(refused.detail(), refused.status()));
      default -> {
        JsonObject json = json(refused.detail(), HecStatus.INVALID_DATA.code());
        answer(ctx, refused.status(), json);
      }
    }
  }

  /** Answers as Splunk does: 401 to a missing token and 403 to a wrong one. */
  private static void unauthorized(RoutingContext ctx, PushRefused refused) {
    boolean hasToken = ctx.request().headers().contains(HttpHeaders.AUTHORIZATION);
    answer(ctx, hasToken ? HecStatus.INVALID_TOKEN : HecStatus.NO_TOKEN, refused);
  }

  /** Answers a request that could be read, whatever its verdicts are. */
  static void answer(RoutingContext ctx, Verdicts verdicts) {
    if (verdicts.accepted() > 0) {
      answer(ctx, HecStatus.SUCCESS);
    } else if (verdicts.rejected() == 0) {
      answer(ctx, HecStatus.NO_DATA);
    } else {
      Verdicts.ItemError first = verdicts.errors().get(0);
      invalid(ctx, HecStatus.INVALID_DATA, first.index(), first.reason());
    }
  }

  static void invalid(RoutingContext ctx, HecStatus status, int event, String problem) {
    JsonObject json = json(status.text(), status.code()).put("invalid-event-number", event);
    answer(ctx, status.http(), json.put("detail", problem));
  }

  private static JsonObject json(String text, int code) {
    return new JsonObject().put("text", text).put("code", code);
  }

  private static void answer(RoutingContext ctx, HecStatus status) {
    answer(ctx, status.http(), json(status.text(), status.code()));
  }

  /** Answers with Splunk's text, and with the reason for a reader. */
  private static void answer(RoutingContext ctx, HecStatus status, PushRefused refused) {
    JsonObject json = json(status.text(), status.code());
    answer(ctx, status.http(), json.put("detail", refused.detail()));
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
