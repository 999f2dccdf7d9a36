package hourglass.ingest.http;

import hourglass.access.Client;
import hourglass.access.FairExecutor;
import hourglass.access.LimitExceededException;
import hourglass.http.BodyPause;
import hourglass.http.UnreadBody;
import hourglass.ingest.decode.Body;
import hourglass.ingest.decode.Reason;
import hourglass.ingest.service.IngestService;
import hourglass.ingest.service.Verdicts;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A push whose body is read whole before its events are stored. It reserves memory for bytes that
 * have arrived, never for announced ones, so that a large announcement blocks no other client.
 */
final class BodyPush extends Push {
  // Encoders add a little to a body that they cannot shrink.
  private static final int PACKING_OVERHEAD_SHIFT = 8;

  private final FairExecutor workers;
  private final long tickMillis;
  private final BodyChunks chunks;
  private final BodyPace pace = new BodyPace();

  // The beginning of the request sets these:
  private ContentEncoding encoding = ContentEncoding.IDENTITY;
  private int bodyBytesMax;

  /** The announced length; -1 for a chunked body. */
  private long announcedBytes = -1;

  private boolean isTrial;
  private boolean isRead;
  private long timer = -1;

  /** The pause of a client that is in debt; null if reading is not paused. */
  private @Nullable BodyPause pause;

  private long pauseTimer = -1;

  /** Creates a push that looks each {@code tickMillis} whether its client still sends. */
  BodyPush(
      IngestService service,
      FairExecutor workers,
      PushProtocol protocol,
      RoutingContext ctx,
      Client client,
      long tickMillis) {
    super(service, protocol, ctx, client);
    this.workers = workers;
    this.tickMillis = tickMillis;
    this.chunks = new BodyChunks(memory);
  }

  /** Reads and answers the request. A decoder is created if its head allows it. */
  void run(Function<? super Push, ? extends PushDecoder> decoders) {
    try {
      begin();
      String packed = request.getHeader(HttpHeaders.CONTENT_ENCODING);
      encoding = ContentEncoding.of(protocol.unpacks(packed) ? null : packed);
      PushDecoder decoder = decoders.apply(this);
      isTrial = decoder.isTrial();
      read(decoder);
    } catch (PushRefused | LimitExceededException e) {
      fail(e);
    }
  }

  private void read(PushDecoder decoder) {
    announcedBytes = announced(request.getHeader(HttpHeaders.CONTENT_LENGTH));
    client.quota().checkEvents(announcedBytes);
    bodyBytesMax = decoder.bodyBytesMax(service.options());
    if (announcedBytes <= bodyBytesMax && !memory.mayBegin(Math.max(1, announcedBytes))) {
      throw PushRefused.tooMany();
    }
    // A body of unknown length is owed as it arrives, unless the client is already in debt.
    long waitNanos = client.quota().reserveBytes(Math.max(1, announcedBytes));
    if (announcedBytes > packedBytesMax()) {
      throw PushRefused.tooLarge(bodyBytesMax);
    }
    timer = ctx.vertx().setPeriodic(tickMillis, id -> tick());
    request.exceptionHandler(lost -> lose());
    request.endHandler(ended -> decode(decoder));
    request.handler(this::take);
    memory.allowRevoke(() -> context.runOnContext(ignored -> stop(PushRefused.crowdedOut())));
    if (waitNanos > 0) {
      pause = new BodyPause(ctx);
      pause.begin();
      long millis = TimeUnit.NANOSECONDS.toMillis(waitNanos) + 1;
      pauseTimer = ctx.vertx().setTimer(millis, id -> endPause());
    }
    askForBody();
  }

  /** Reads on, if the push was paused, once its wait is over or it ends. */
  private void endPause() {
    if (pause != null) {
      ctx.vertx().cancelTimer(pauseTimer);
      pause.end();
      pause = null;
    }
  }

  private long packedBytesMax() {
    return encoding == ContentEncoding.IDENTITY
        ? bodyBytesMax
        : bodyBytesMax + (bodyBytesMax >> PACKING_OVERHEAD_SHIFT) + 1024L;
  }

  private static long announced(@Nullable String contentLength) {
    try {
      return contentLength == null ? -1 : Long.parseLong(contentLength.trim());
    } catch (NumberFormatException e) {
      return -1; // the HTTP decoder refuses it
    }
  }

  private void take(Buffer bytes) {
    if (state != State.READING) {
      return;
    }
    if (announcedBytes < 0) {
      client.quota().oweBytes(bytes.length());
    }
    if (chunks.length() + bytes.length() > packedBytesMax()) {
      stop(PushRefused.tooLarge(bodyBytesMax));
    } else if (!chunks.take(bytes)) {
      stop(PushRefused.tooMany());
    }
  }

  private void tick() {
    if (pace.isTooSlow(chunks.length())) {
      stop(new PushRefused(408, "body: sent too slowly"));
    }
  }

  /** Refuses the rest of a body. Later bytes, and its end, are ignored. */
  private void stop(PushRefused refused) {
    if (state == State.READING) {
      fail(refused);
    }
  }

  /** Ends a push whose connection broke while its body was read. Nobody waits for an answer. */
  private void lose() {
    if (state == State.READING) {
      end();
    }
  }

  private void decode(PushDecoder decoder) {
    if (state != State.READING) {
      return;
    }
    if (!memory.forbidRevoke()) {
      fail(PushRefused.crowdedOut());
      return;
    }
    ctx.vertx().cancelTimer(timer);
    isRead = true;
    state = State.STORING;
    boolean isSmall =
        chunks.length() <= decoder.inlineBytesMax(request.headers())
            && encoding == ContentEncoding.IDENTITY;
    Executor executor = isSmall ? Runnable::run : workers.lane(client.share());
    var unused =
        CompletableFuture.completedFuture(decoder)
            .thenComposeAsync(this::ingest, executor)
            .whenComplete(
                (verdicts, failure) -> {
                  if (!decoder.answersEach()) {
                    release();
                  }
                  context.runOnContext(nothing -> finish(decoder, verdicts, failure));
                });
  }

  private CompletionStage<Verdicts> ingest(PushDecoder decoder) {
    Body body;
    try {
      body = encoding.unpack(chunks, chunks.length(), memory, bodyBytesMax);
    } catch (IOException e) {
      String name = String.valueOf(request.getHeader(HttpHeaders.CONTENT_ENCODING));
      String problem =
          "Content-Encoding: \"" + name + "\", but the body is not: " + ContentEncoding.problem(e);
      return decoder.unreadable(problem, service);
    }
    return decoder.ingest(body, this);
  }

  private void finish(
      PushDecoder decoder, @Nullable Verdicts verdicts, @Nullable Throwable failure) {
    if (verdicts == null || failure != null) {
      fail(failure == null ? new IllegalStateException("no verdicts") : failure);
      return;
    }
    if (!isTrial) {
      client.quota().stored(verdicts.accepted(), chunks.length());
    }
    if (verdicts.isForbidden() && !decoder.answersEach()) {
      fail(new PushRefused(403, Reason.TYPE_NOT_ALLOWED.text()));
    } else if (ctx.response().closed()) {
      end();
    } else {
      // An answer to each event may be long, so its memory is held until its client has read it.
      ctx.addEndHandler(done -> end());
      decoder.answer(ctx, verdicts);
    }
  }

  @Override
  void end() {
    if (state == State.READING) {
      ctx.vertx().cancelTimer(timer);
      endPause();
      chunks.drop();
    }
    state = State.OVER;
    release();
  }

  @Override
  void refuse(PushRefused refused) {
    Reason reason = isRead && refused.status() == 400 ? Reason.BODY_UNREADABLE : refused.reason();
    if (reason != null && !isTrial) {
      service.refuse(reason, refused.detail());
    }
    if (!isRead) {
      UnreadBody.discard(ctx, refused.status() == 408 ? -1 : announcedBytes);
    }
    protocol.refuse(ctx, refused.within(protocol.retryAfterSecondsMax()));
  }
}
