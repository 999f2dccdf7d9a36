package hourglass.ingest.http;

import hourglass.access.Client;
import hourglass.access.Failures;
import hourglass.access.FairExecutor;
import hourglass.access.LimitExceededException;
import hourglass.access.Quota;
import hourglass.access.Refusal;
import hourglass.access.RequestId;
import hourglass.http.BodyPause;
import hourglass.http.UnreadBody;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.Reason;
import hourglass.ingest.service.InFlightBudget;
import hourglass.ingest.service.IngestService;
import hourglass.ingest.service.Verdicts;
import hourglass.store.TooLargeException;
import io.vertx.core.Context;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One push, in any protocol. It reads and answers on its event loop. */
final class Push {
  private static final Logger logger = LoggerFactory.getLogger(Push.class);

  private final IngestService service;
  private final FairExecutor workers;
  private final RoutingContext ctx;
  private final HttpServerRequest request;
  private final Context context;
  private final InFlightBudget.Reservation reservation;
  private final Client client;
  private BiConsumer<PushRefused, Throwable> refusing;
  private Quota.@Nullable Turn turn;
  private boolean bodyEnded;
  private long bodyBytes;
  private long announcedBytes = -1;
  private boolean isTrial;

  /** Creates a push. It uses {@code refusing} for a request that could not become an exchange. */
  Push(
      IngestService service,
      FairExecutor workers,
      RoutingContext ctx,
      Client client,
      BiConsumer<PushRefused, Throwable> refusing) {
    this.service = service;
    this.workers = workers;
    this.ctx = ctx;
    this.request = ctx.request();
    this.context = ctx.vertx().getOrCreateContext();
    this.client = client;
    this.reservation = service.inFlight().reservation(client.share());
    this.refusing = refusing;
  }

  void run(Supplier<PushExchange> exchanges, long tickMillis) {
    try {
      turn = client.quota().push();
      PushExchange exchange = exchanges.get();
      refusing = exchange::refuse;
      isTrial = exchange.isTrial();
      announcedBytes = announced(request.getHeader(HttpHeaders.CONTENT_LENGTH));
      read(exchange, tickMillis);
    } catch (PushRefused | LimitExceededException e) {
      fail(e);
    }
  }

  /** Returns the announced length; -1 for a chunked body. */
  private static long announced(@Nullable String contentLength) {
    try {
      return contentLength == null ? -1 : Long.parseLong(contentLength.trim());
    } catch (NumberFormatException e) {
      return -1; // the HTTP decoder refuses it
    }
  }

  private void read(PushExchange exchange, long tickMillis) {
    client.quota().checkEvents(announcedBytes);
    int maxBodyBytes = exchange.maxBodyBytes();
    if (announcedBytes <= maxBodyBytes && !reservation.mayBegin(Math.max(1, announcedBytes))) {
      throw PushRefused.tooMany();
    }
    // A body of unknown length is owed as it arrives, unless the client is already in debt.
    long waitNanos = client.quota().reserveBytes(Math.max(1, announcedBytes));
    LongConsumer arrived = announcedBytes < 0 ? client.quota()::oweBytes : bytes -> {};
    new BodyReader(ctx.vertx(), request, reservation, exchange.encoding(), maxBodyBytes, arrived)
        .read(announcedBytes, tickMillis)
        .onSuccess(
            chunks -> {
              bodyEnded = true;
              bodyBytes = chunks.length();
              process(exchange, chunks);
            })
        .onFailure(this::fail);
    if (waitNanos > 0) {
      BodyPause pause = new BodyPause(request);
      pause.begin();
      long millis = TimeUnit.NANOSECONDS.toMillis(waitNanos) + 1;
      ctx.vertx().setTimer(millis, id -> pause.end());
    }
    if ("100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))
        && !ctx.response().ended()) {
      ctx.response().writeContinue();
    }
  }

  private void process(PushExchange exchange, BodyChunks chunks) {
    boolean small =
        chunks.length() <= exchange.inlineBytesMax()
            && exchange.encoding() == ContentEncoding.IDENTITY;
    Executor executor = small ? Runnable::run : workers.lane(client.share());
    CompletionStage<Verdicts> ingested =
        CompletableFuture.completedFuture(chunks)
            .thenComposeAsync(taken -> ingest(exchange, taken), executor);
    ingested.whenComplete(
        (verdicts, failure) -> {
          if (!exchange.answersEach()) {
            end();
          }
          context.runOnContext(nothing -> finish(exchange, verdicts, failure));
        });
  }

  private CompletionStage<Verdicts> ingest(PushExchange exchange, BodyChunks chunks) {
    Body body;
    try {
      body =
          exchange.encoding().unpack(chunks, chunks.length(), reservation, exchange.maxBodyBytes());
    } catch (IOException e) {
      String encoding = String.valueOf(request.getHeader(HttpHeaders.CONTENT_ENCODING));
      return exchange.unreadable(
          "Content-Encoding: \""
              + encoding
              + "\", but the body is not: "
              + ContentEncoding.problem(e));
    }
    return exchange.ingest(body, reservation, client);
  }

  private static String message(Exception e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }

  private void finish(
      PushExchange exchange, @Nullable Verdicts verdicts, @Nullable Throwable failure) {
    if (verdicts == null || failure != null) {
      fail(failure == null ? new IllegalStateException("no verdicts") : failure);
      return;
    }
    if (!isTrial) {
      client.quota().stored(verdicts.accepted(), bodyBytes);
    }
    if (verdicts.isForbidden() && !exchange.answersEach()) {
      PushRefused forbidden = new PushRefused(403, Reason.TYPE_NOT_ALLOWED.text());
      exchange.refuse(forbidden, forbidden);
    } else if (ctx.response().closed()) {
      end();
    } else {
      // An answer to each event may be long, so its memory is held until its client has read it.
      ctx.addEndHandler(done -> end());
      exchange.answer(verdicts);
    }
  }

  /** Releases all that the request holds. */
  private void end() {
    reservation.release();
    if (turn != null) {
      turn.close();
    }
  }

  private void fail(Throwable failure) {
    end();
    HttpServerResponse response = ctx.response();
    Throwable cause = Failures.cause(failure);
    boolean isRefused = cause instanceof PushRefused || cause instanceof LimitExceededException;
    boolean cut = !bodyEnded && !isRefused;
    if (cut || response.closed() || response.ended()) {
      return;
    }
    PushRefused refused = refusal(cause, ctx);
    boolean isOfBody = bodyEnded && refused.status() == 400;
    Reason reason = isOfBody ? Reason.BODY_UNREADABLE : refused.reason();
    if (reason != null && !isTrial) {
      service.refuse(reason, refused.detail());
    }
    if (!bodyEnded) {
      boolean isSlow = refused.status() == 408;
      UnreadBody.discard(ctx, isSlow ? -1 : announcedBytes);
    }
    refusing.accept(refused, cause);
  }

  /** Returns the refusal that a failure becomes. A defect is logged. */
  static PushRefused refusal(Throwable failure, RoutingContext ctx) {
    PushRefused known = refusal(failure);
    if (known == null) {
      String id = ctx.response().headers().get(RequestId.HEADER);
      logger.error("push {} failed", id, Failures.cause(failure));
      return new PushRefused(500, "the events could not be stored");
    }
    return known;
  }

  /** Returns the refusal that a failure becomes; null for a defect. */
  static @Nullable PushRefused refusal(Throwable failure) {
    Throwable cause = Failures.cause(failure);
    if (cause instanceof PushRefused known) {
      return known;
    }
    if (cause instanceof TooLargeException tooLarge) {
      return new PushRefused(413, message(tooLarge));
    }
    Refusal refusal = Refusal.of(cause);
    if (refusal == null) {
      return null;
    }
    return refusal.passes()
        ? PushRefused.later(
            refusal.status(), Refusal.message(cause), Refusal.retryAfterSeconds(cause))
        : new PushRefused(refusal.status(), Refusal.message(cause));
  }
}
