package hourglass.ingest.http;

import hourglass.access.Client;
import hourglass.access.LimitExceededException;
import hourglass.ingest.InFlightBudget;
import hourglass.ingest.IngestService;
import hourglass.ingest.Verdicts;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.CloudEvents;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.decode.ItemRules;
import hourglass.ingest.decode.Reason;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A push of JSON or CloudEvents to {@code /api/v1/events}. */
final class NativePush implements PushExchange {
  private static final int INLINE_BYTES_MAX = 16_384;

  private final IngestService service;
  private final RoutingContext ctx;
  private final PushRules rules;
  private final ItemRules items;
  private final PushHeaders headers;

  /** Throws {@link PushRefused}. */
  NativePush(IngestService service, PushRules byDefault, RoutingContext ctx) {
    this.service = service;
    this.ctx = ctx;
    MultiMap parameters = ctx.queryParams();
    this.rules = byDefault.with(parameters);
    this.items = rules.ofItems(parameters);
    this.headers = PushHeaders.of(ctx.request().headers());
  }

  @Override
  public ContentEncoding encoding() {
    return headers.encoding();
  }

  @Override
  public int inlineBytesMax() {
    return INLINE_BYTES_MAX;
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
    try {
      if (headers.isBinaryCloudEvent()) {
        if (body.length() > service.options().maxEventBytes()) {
          int most = service.options().maxEventBytes();
          return unreadable("data: " + body.length() + " bytes, at most " + most);
        }
        body = CloudEvents.toJson(headers.decodedAttributes(), headers.contentType(), body);
      }
    } catch (IllegalArgumentException e) {
      return unreadable(String.valueOf(e.getMessage()));
    }
    String key = headers.idempotencyKey();
    if (key != null) {
      boolean isById = items.identity() == IdentityRule.ID;
      ItemRules keyed = isById ? items : items.with(IdentityRule.NONE);
      return service.ingest(body, headers.format(), keyed, key, client);
    }
    // A request that is repeated whole has the same path, type and body.
    key = "identity=body " + ctx.normalizedPath() + " " + items.mapping().type();
    boolean isByBody = items.identity() == IdentityRule.BODY;
    return service.ingest(body, headers.format(), items, isByBody ? key : null, client);
  }

  @Override
  public CompletionStage<Verdicts> unreadable(String problem) {
    return CompletableFuture.completedFuture(service.refuse(Reason.BODY_UNREADABLE, problem));
  }

  @Override
  public void answer(Verdicts verdicts) {
    ctx.response()
        .setStatusCode(verdicts.accepted() > 0 || rules.refusesWith200() ? 200 : 400)
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
        .end(json(verdicts).toBuffer());
  }

  private static JsonObject json(Verdicts verdicts) {
    JsonObject json = new JsonObject();
    json.put("accepted", verdicts.accepted()).put("rejected", verdicts.rejected());
    if (verdicts.untimed() > 0) {
      json.put("untimed", verdicts.untimed());
    }
    return json.put("errors", verdicts.errors().stream().map(NativePush::json).toList());
  }

  private static JsonObject json(Verdicts.ItemError error) {
    return new JsonObject().put("index", error.index()).put("reason", error.reason());
  }

  @Override
  public void refuse(PushRefused refused, Throwable cause) {
    refuse(ctx, refused, cause);
  }

  /** Without an exchange, for a request that none could be made of. */
  static void refuse(RoutingContext ctx, PushRefused refused, Throwable cause) {
    refused.putHeader(ctx.response());
    ctx.fail(
        cause instanceof LimitExceededException
            ? cause // its answer names the limit
            : new HttpException(refused.status(), refused.detail()));
  }
}
