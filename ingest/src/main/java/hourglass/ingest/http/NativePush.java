package hourglass.ingest.http;

import hourglass.access.LimitExceededException;
import hourglass.bucketing.Ticks;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.BodyFormat;
import hourglass.ingest.decode.CloudEvents;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.decode.ItemRules;
import hourglass.ingest.decode.Reason;
import hourglass.ingest.service.FoldedErrors;
import hourglass.ingest.service.IngestOptions;
import hourglass.ingest.service.IngestService;
import hourglass.ingest.service.PushReport;
import hourglass.ingest.service.Verdicts;
import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Serves our own push of JSON, CloudEvents or text, {@code POST /api/v1/events}. The answer:
 *
 * <pre>
 * {"accepted":7,"rejected":3,"untimed":2,"time_fields":{"timestamp":4},
 *  "times":{"first":"2026-11-20T08:00:00.0000000Z","last":"2026-11-20T08:30:00.0000000Z"},
 *  "hint":"2 events got the time of receipt, but \"date\" has a time; add time_field=date",
 *  "suggested":{"time_field":"date"},
 *  "errors":[{"index":2,"reason":"type: not a string: 5 (field \"type\")","count":3,
 *            "indexes":[2,5,9]}]}
 * </pre>
 */
final class NativePush extends PushProtocol {
  private static final int INLINE_BYTES_MAX = 16_384;

  NativePush(PushRules rules) {
    super("json", rules);
  }

  @Override
  public void mount(Router router, IngestRoutes pushes) {
    router.post("/api/v1/events").handler(ctx -> pushes.push(this, ctx, Decoder::new));
  }

  /** Mounts nothing: our API refuses requests to all its paths in one form. */
  @Override
  public void mountForm(Router router, Handler<RoutingContext> form) {}

  @Override
  PushRules rules(RoutingContext ctx) {
    return rules().with(ctx.queryParams());
  }

  @Override
  long retryAfterSecondsMax() {
    return Long.MAX_VALUE;
  }

  @Override
  public void refuse(RoutingContext ctx, PushRefused refused) {
    refused.putHeader(ctx.response());
    ctx.fail(
        refused.getCause() instanceof LimitExceededException limit
            ? limit // its answer names the limit
            : new HttpException(refused.status(), refused.detail()));
  }

  private static final class Decoder implements PushDecoder {
    private final PushRules rules;
    private final PushHeaders headers;
    private final PushReport report;

    /** Reads the head of a request after its rules. Throws {@link PushRefused}. */
    private Decoder(Push push) {
      this.rules = push.rules();
      this.headers = PushHeaders.of(push.request.headers());
      this.report = new PushReport(rules.items(), PushRules.isTrial(push.ctx.queryParams()));
    }

    @Override
    public boolean isTrial() {
      return report.isTrial();
    }

    @Override
    public boolean answersEach() {
      return false;
    }

    @Override
    public int bodyBytesMax(IngestOptions options) {
      return options.maxBodyBytes();
    }

    @Override
    public int inlineBytesMax(MultiMap all) {
      return headers.format() == null ? 0 : INLINE_BYTES_MAX; // it may be packed
    }

    @Override
    public CompletionStage<Verdicts> ingest(Body received, Push push) {
      IngestService service = push.service;
      Body body = received;
      BodyFormat format = headers.format();
      try {
        if (headers.isBinaryCloudEvent()) {
          int most = service.options().maxEventBytes();
          if (body.length() > most) {
            String problem = "data: " + body.length() + " bytes, at most " + most;
            return unreadable(problem, service);
          }
          body = CloudEvents.toJson(headers.decodedAttributes(), headers.contentType(), body);
        }
        if (format == null) {
          body = unpacked(received, push);
          format = BodyFormat.guess(body);
        }
      } catch (IllegalArgumentException e) {
        return unreadable(String.valueOf(e.getMessage()), service);
      } catch (IOException e) {
        String problem =
            "body: begins like "
                + ContentEncoding.guess(received).name().toLowerCase(Locale.ROOT)
                + ", but is not: "
                + ContentEncoding.problem(e);
        return unreadable(problem, service);
      }
      ItemRules items = rules.items();
      String key = headers.idempotencyKey();
      if (key != null) {
        IdentityRule rule = items.identity();
        boolean isKept = rule == IdentityRule.ID || rule == IdentityRule.PLACE;
        ItemRules keyed = isKept ? items : items.with(IdentityRule.NONE);
        return service.ingest(body, format, keyed, key, push.client, report);
      }
      if (items.identity() == IdentityRule.PLACE) {
        String problem = "identity: \"place\" is given without an Idempotency-Key; want both";
        return unreadable(problem, service);
      }
      key = items.identity() == IdentityRule.BODY ? push.keyOfRepeats() : null;
      return service.ingest(body, format, items, key, push.client, report);
    }

    /** Unpacks a packed file that is sent without a header. */
    private static Body unpacked(Body body, Push push) throws IOException {
      String declared = push.request.getHeader(HttpHeaders.CONTENT_ENCODING);
      ContentEncoding packed = ContentEncoding.guess(body);
      if (packed == ContentEncoding.IDENTITY
          || ContentEncoding.of(declared) != ContentEncoding.IDENTITY) {
        return body;
      }
      ByteArrayInputStream in = new ByteArrayInputStream(body.bytes(), 0, body.length());
      int most = push.service.options().maxBodyBytes();
      return packed.unpack(in, body.length(), push.memory, most); // the push holds both
    }

    @Override
    public CompletionStage<Verdicts> unreadable(String problem, IngestService service) {
      report.reject(0, Reason.BODY_UNREADABLE, problem);
      return CompletableFuture.completedFuture(
          isTrial()
              ? new Verdicts(0, 1, 0, List.of())
              : service.refuse(Reason.BODY_UNREADABLE, problem));
    }

    @Override
    public void answer(RoutingContext ctx, Verdicts verdicts) {
      ctx.response()
          .setStatusCode(verdicts.accepted() > 0 || rules.refusesWith200() ? 200 : 400)
          .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
          .end(json(verdicts, report).toBuffer());
    }
  }

  private static JsonObject json(Verdicts verdicts, PushReport report) {
    JsonObject json = new JsonObject();
    json.put("accepted", verdicts.accepted()).put("rejected", verdicts.rejected());
    if (report.isTrial()) {
      json.put("dry_run", true);
    }
    if (verdicts.untimed() > 0) {
      json.put("untimed", verdicts.untimed());
    }
    if (report.followed() > 0) {
      json.put("followed", report.followed());
    }
    Map<String, Integer> timeFields = report.timeFields();
    if (!timeFields.isEmpty()) {
      json.put("time_fields", object(timeFields));
    }
    if (verdicts.accepted() > 0) {
      json.put(
          "times",
          new JsonObject()
              .put("first", Ticks.text(report.firstTicks()))
              .put("last", Ticks.text(report.lastTicks())));
    }
    PushReport.Advice advice = report.advice();
    if (advice != null) {
      json.put("hint", advice.hint());
      json.put("suggested", object(advice.parameters()));
    }
    JsonArray errors = new JsonArray();
    report.errors().forEach(entry -> errors.add(json(entry)));
    return json.put("errors", errors);
  }

  private static JsonObject object(Map<String, ?> members) {
    JsonObject object = new JsonObject();
    members.forEach(object::put);
    return object;
  }

  private static JsonObject json(FoldedErrors.Entry entry) {
    JsonArray indexes = new JsonArray();
    for (int index : entry.indexes()) {
      indexes.add(index);
    }
    return new JsonObject()
        .put("index", indexes.getInteger(0))
        .put("reason", entry.reason())
        .put("count", entry.count())
        .put("indexes", indexes);
  }
}
