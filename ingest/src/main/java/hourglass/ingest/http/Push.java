package hourglass.ingest.http;

import hourglass.access.Client;
import hourglass.access.LimitExceededException;
import hourglass.access.Quota;
import hourglass.access.RequestId;
import hourglass.ingest.InFlightBudget;
import hourglass.ingest.IngestService;
import hourglass.ingest.Verdicts;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.CloudEvents;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.decode.ItemRules;
import hourglass.ingest.decode.Reason;
import hourglass.store.OverloadedException;
import hourglass.store.TooLargeException;
import hourglass.store.UnavailableException;
import io.vertx.core.Context;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One push. Reads and answers on its event loop. */
final class Push {
  private static final Logger logger = LoggerFactory.getLogger(Push.class);

  // Smaller bodies are decoded faster than handed to another thread.
  private static final int INLINE_BYTES_MAX = 16_384;

  private final IngestService service;
  private final Executor workers;
  private final RoutingContext ctx;
  private final HttpServerRequest request;
  private final Context context;
  private final InFlightBudget.Reservation reservation;
  private final Client client;
  private PushRules rules;
  private Quota.@Nullable Turn turn;
  private boolean bodyEnded;
  private long announcedBytes = -1;

  Push(
      IngestService service, PushRules rules, Executor workers, RoutingContext ctx, Client client) {
    this.service = service;
    this.rules = rules;
    this.workers = workers;
    this.ctx = ctx;
    this.request = ctx.request();
    this.context = ctx.vertx().getOrCreateContext();
    this.client = client;
    this.reservation = service.inFlight().reservation(client.share());
  }

  void run(long tickMillis) {
    try {
      turn = client.quota().push();
      MultiMap parameters = ctx.queryParams();
      rules = rules.with(parameters);
      ItemRules items = rules.ofItems(parameters);
      PushHeaders headers = PushHeaders.of(request.headers());
      announcedBytes = headers.announcedBytes();
      read(headers, items, tickMillis);
    } catch (PushRefused | LimitExceededException e) {
      fail(e);
    }
  }

  private void read(PushHeaders headers, ItemRules items, long tickMillis) {
    if (headers.announcedBytes() <= service.options().maxBodyBytes()
        && !reservation.mayBegin(Math.max(1, headers.announcedBytes()))) {
      throw PushRefused.tooMany();
    }
    // A body of unknown length is owed as it comes in, unless the client is in debt already.
    client.quota().takeBytes(Math.max(1, headers.announcedBytes()));
    LongConsumer arrived = headers.announcedBytes() < 0 ? client.quota()::oweBytes : bytes -> {};
    int maxBodyBytes = service.options().maxBodyBytes();
    new BodyReader(ctx.vertx(), request, reservation, headers.encoding(), maxBodyBytes, arrived)
        .read(headers.announcedBytes(), tickMillis)
        .onSuccess(
            chunks -> {
              bodyEnded = true;
              process(headers, items, chunks);
            })
        .onFailure(this::fail);
    if ("100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))
        && !ctx.response().ended()) {
      ctx.response().writeContinue();
    }
  }

  private void process(PushHeaders headers, ItemRules items, BodyChunks chunks) {
    boolean small =
        chunks.length() <= INLINE_BYTES_MAX && headers.encoding() == ContentEncoding.IDENTITY;
    Executor executor = small ? Runnable::run : workers;
    CompletionStage<Verdicts> ingested =
        CompletableFuture.completedFuture(chunks)
            .thenComposeAsync(taken -> ingest(headers, items, taken), executor);
    ingested.whenComplete(
        (verdicts, failure) -> {
          end();
          context.runOnContext(nothing -> finish(verdicts, failure));
        });
  }

  private CompletionStage<Verdicts> ingest(
      PushHeaders headers, ItemRules items, BodyChunks chunks) {
    Body body;
    try {
      body = headers.encoding().unpack(chunks, reservation, service.options().maxBodyBytes());
    } catch (IOException e) {
      String encoding = String.valueOf(request.getHeader(HttpHeaders.CONTENT_ENCODING));
      return refuse(
          "Content-Encoding: \"" + encoding + "\", but the body is not: " + unpackingProblem(e));
    }
    try {
      if (headers.isBinaryCloudEvent()) {
        if (body.length() > service.options().maxEventBytes()) {
          int most = service.options().maxEventBytes();
          return refuse("data: " + body.length() + " bytes, at most " + most);
        }
        body = CloudEvents.toJson(headers.decodedAttributes(), headers.contentType(), body);
      }
    } catch (IllegalArgumentException e) {
      return refuse(message(e));
    }
    String key = headers.idempotencyKey();
    if (key != null) {
      return service.ingest(body, headers.format(), items.with(IdentityRule.NONE), key, client);
    }
    // A request that is repeated whole has the same path, type and body.
    key = "identity=body " + ctx.normalizedPath() + " " + items.mapping().type();
    boolean isByBody = items.identity() == IdentityRule.BODY;
    return service.ingest(body, headers.format(), items, isByBody ? key : null, client);
  }

  private CompletionStage<Verdicts> refuse(String problem) {
    return CompletableFuture.completedFuture(service.refuse(Reason.BODY_UNREADABLE, problem));
  }

  private static String unpackingProblem(IOException e) {
    return e instanceof EOFException ? "it ends too early" : message(e);
  }

  private static String message(Exception e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  private void finish(@Nullable Verdicts verdicts, @Nullable Throwable failure) {
    if (verdicts == null || failure != null) {
      fail(failure == null ? new IllegalStateException("no verdicts") : failure);
      return;
    }
    HttpServerResponse response = ctx.response();
    if (verdicts.isForbidden()) {
      ctx.fail(new HttpException(403, Reason.TYPE_NOT_ALLOWED.text()));
    } else if (!response.closed()) {
      response
          .setStatusCode(verdicts.accepted() > 0 || rules.refusesWith200() ? 200 : 400)
          .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
          .end(json(verdicts).toBuffer());
    }
  }

  private static JsonObject json(Verdicts verdicts) {
    JsonObject json = new JsonObject();
    json.put("accepted", verdicts.accepted()).put("rejected", verdicts.rejected());
    if (verdicts.untimed() > 0) {
      json.put("untimed", verdicts.untimed());
    }
    return json.put("errors", verdicts.errors().stream().map(Push::json).toList());
  }

  private static JsonObject json(Verdicts.ItemError error) {
    return new JsonObject().put("index", error.index()).put("reason", error.reason());
  }

  /** Nothing more of the request is held or done. */
  private void end() {
    reservation.release();
    if (turn != null) {
      turn.close();
    }
  }

  private void fail(Throwable failure) {
    end();
    HttpServerResponse response = ctx.response();
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    boolean isRefused = cause instanceof PushRefused || cause instanceof LimitExceededException;
    boolean cut = !bodyEnded && !isRefused;
    if (cut || response.closed() || response.ended()) {
      return;
    }
    PushRefused refused = refused(cause);
    Reason reason = refused.reason();
    if (reason != null) {
      service.refuse(reason, refused.detail());
    }
    if (!bodyEnded) {
      boolean isSlow = refused.status == 408;
      UnreadBody.discard(ctx, isSlow ? -1 : announcedBytes);
    }
    if (refused.header != null && refused.value != null) {
      response.putHeader(refused.header, refused.value);
    }
    ctx.fail(
        cause instanceof LimitExceededException
            ? cause // its answer names the limit
            : new HttpException(refused.status, refused.detail()));
  }

  private PushRefused refused(Throwable cause) {
    if (cause instanceof PushRefused known) {
      return known;
    }
    if (cause instanceof OverloadedException overloaded) {
      long seconds = Math.max(1, overloaded.retryAfter().plusSeconds(1).minusNanos(1).toSeconds());
      return new PushRefused(429, message(overloaded), "Retry-After", Long.toString(seconds));
    }
    if (cause instanceof LimitExceededException limit) {
      String seconds = Long.toString(limit.retryAfterSeconds());
      return new PushRefused(429, message(limit), "Retry-After", seconds);
    }
    if (cause instanceof TooLargeException tooLarge) {
      return new PushRefused(413, message(tooLarge));
    }
    if (cause instanceof RejectedExecutionException) {
      return PushRefused.tooMany();
    }
    if (cause instanceof UnavailableException unavailable) {
      return new PushRefused(503, message(unavailable), "Retry-After", "5");
    }
    String id = ctx.response().headers().get(RequestId.HEADER);
    logger.error("push {} failed", id, cause);
    return new PushRefused(500, "the events could not be stored");
  }
}
