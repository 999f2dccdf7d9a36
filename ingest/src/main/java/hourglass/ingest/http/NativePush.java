package hourglass.ingest.http;

import hourglass.access.Client;
import hourglass.access.LimitExceededException;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.BodyFormat;
import hourglass.ingest.decode.CloudEvents;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.decode.ItemRules;
import hourglass.ingest.decode.Reason;
import hourglass.ingest.service.InFlightBudget;
import hourglass.ingest.service.IngestService;
import hourglass.ingest.service.PushReport;
import hourglass.ingest.service.Verdicts;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A push of JSON, CloudEvents or text to {@code /api/v1/events}. */
final class NativePush implements PushExchange {
  private static final int INLINE_BYTES_MAX = 16_384;

  private final IngestService service;
  private final RoutingContext ctx;
  private final PushRules rules;
  private final ItemRules items;
  private final PushHeaders headers;
  private final PushReport report;

  /** Reads the parameters and headers of a request. Throws {@link PushRefused}. */
  NativePush(IngestService service, PushRules byDefault, RoutingContext ctx) {
    this.service = service;
    this.ctx = ctx;
    MultiMap parameters = ctx.queryParams();
    this.rules = byDefault.with(parameters);
    this.items = rules.items();
    this.headers = PushHeaders.of(ctx.request().headers());
    this.report = new PushReport(items, PushRules.isTrial(parameters));
  }

  @Override
  public ContentEncoding encoding() {
    return headers.encoding();
  }

  @Override
  public int inlineBytesMax() {
    return headers.format() == null ? 0 : INLINE_BYTES_MAX; // it may be packed
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
  public int maxBodyBytes() {
    return service.options().maxBodyBytes();
  }

  @Override
  public CompletionStage<Verdicts> ingest(
      Body received, InFlightBudget.Reservation memory, Client client) {
    Body body = received;
    BodyFormat format = headers.format();
    try {
      if (headers.isBinaryCloudEvent()) {
        if (body.length() > service.options().maxEventBytes()) {
          int most = service.options().maxEventBytes();
          return unreadable("data: " + body.length() + " bytes, at most " + most);
        }
        body = CloudEvents.toJson(headers.decodedAttributes(), headers.contentType(), body);
      }
      if (format == null) {
        body = unpacked(received, memory);
        format = BodyFormat.guess(body);
      }
    } catch (IllegalArgumentException e) {
      return unreadable(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return unreadable(
          "body: begins like "
              + ContentEncoding.guess(received).name().toLowerCase(Locale.ROOT)
              + ", but is not: "
              + ContentEncoding.problem(e));
    }
    String key = headers.idempotencyKey();
    if (key != null) {
      IdentityRule rule = items.identity();
      boolean isKept = rule == IdentityRule.ID || rule == IdentityRule.PLACE;
      ItemRules keyed = isKept ? items : items.with(IdentityRule.NONE);
      return service.ingest(body, format, keyed, key, client, report);
    }
    if (items.identity() == IdentityRule.PLACE) {
      return unreadable("identity: \"place\" is given without an Idempotency-Key; want both");
    }
    // A request that is repeated as a whole has the same path, type and body.
    key = "identity=body " + ctx.normalizedPath() + " " + items.mapping().type();
    boolean isByBody = items.identity() == IdentityRule.BODY;
    return service.ingest(body, format, items, isByBody ? key : null, client, report);
  }

  /** Unpacks a packed file that is sent without a header. */
  private Body unpacked(Body body, InFlightBudget.Reservation memory) throws IOException {
    ContentEncoding packed =
        headers.encoding() == ContentEncoding.IDENTITY
            ? ContentEncoding.guess(body)
            : ContentEncoding.IDENTITY;
    if (packed == ContentEncoding.IDENTITY) {
      return body;
    }
    ByteArrayInputStream in = new ByteArrayInputStream(body.bytes(), 0, body.length());
    return packed.unpack(in, body.length(), memory, maxBodyBytes()); // the caller holds both
  }

  @Override
  public CompletionStage<Verdicts> unreadable(String problem) {
    report.reject(0, Reason.BODY_UNREADABLE, problem);
    return CompletableFuture.completedFuture(
        isTrial()
            ? new Verdicts(0, 1, 0, List.of())
            : service.refuse(Reason.BODY_UNREADABLE, problem));
  }

  @Override
  public void answer(Verdicts verdicts) {
    ctx.response()
        .setStatusCode(verdicts.accepted() > 0 || rules.refusesWith200() ? 200 : 400)
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
        .end(ReportJson.of(verdicts, report).toBuffer());
  }

  @Override
  public void refuse(PushRefused refused, Throwable cause) {
    refuse(ctx, refused, cause);
  }

  /** Refuses a request that could not become an exchange. */
  static void refuse(RoutingContext ctx, PushRefused refused, Throwable cause) {
    refused.putHeader(ctx.response());
    ctx.fail(
        cause instanceof LimitExceededException
            ? cause // its answer names the limit
            : new HttpException(refused.status(), refused.detail()));
  }
}
