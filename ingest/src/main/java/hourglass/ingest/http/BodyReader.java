package hourglass.ingest.http;

import hourglass.ingest.service.InFlightBudget;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.LongConsumer;

/**
 * Reads one body on its event loop. It reserves memory for bytes that have arrived, never for
 * announced ones, so that a large announcement blocks no other client.
 */
final class BodyReader {
  // A body slower than this average pace is refused, after a grace period.
  private static final int TICKS_GRACE = 6;
  private static final long BYTES_PER_TICK_MIN = 640 * 1024;

  // Encoders add a little to a body that they cannot shrink.
  private static final int PACKING_OVERHEAD_SHIFT = 8;

  private final Vertx vertx;
  private final HttpServerRequest request;
  private final InFlightBudget.Reservation reservation;
  private final BodyChunks chunks;
  private final int maxBodyBytes;
  private final long maxPackedBytes;
  private final LongConsumer arrived;
  private final Promise<BodyChunks> promise = Promise.promise();
  private long timer;
  private int ticks;
  private int quietTicks;
  private long lengthAtTick;

  /**
   * Limits the unpacked body to {@code maxBodyBytes}, and the packed one to a little more. {@code
   * arrived} gets the number of bytes in each chunk.
   */
  BodyReader(
      Vertx vertx,
      HttpServerRequest request,
      InFlightBudget.Reservation reservation,
      ContentEncoding encoding,
      int maxBodyBytes,
      LongConsumer arrived) {
    this.vertx = vertx;
    this.request = request;
    this.reservation = reservation;
    this.chunks = new BodyChunks(reservation);
    this.maxBodyBytes = maxBodyBytes;
    this.arrived = arrived;
    this.maxPackedBytes =
        encoding == ContentEncoding.IDENTITY
            ? maxBodyBytes
            : maxBodyBytes + (maxBodyBytes >> PACKING_OVERHEAD_SHIFT) + 1024L;
  }

  /** Reads to the end. Fails with {@link PushRefused}, or with the cause of a lost connection. */
  Future<BodyChunks> read(long announcedBytes, long tickMillis) {
    if (announcedBytes > maxPackedBytes) {
      return Future.failedFuture(PushRefused.tooLarge(maxBodyBytes));
    }
    timer = vertx.setPeriodic(tickMillis, id -> tick());
    request.exceptionHandler(this::fail);
    request.endHandler(ended -> end());
    request.handler(this::take);
    Context context = vertx.getOrCreateContext();
    reservation.allowRevoke(() -> context.runOnContext(ignored -> fail(PushRefused.crowdedOut())));
    return promise.future();
  }

  private void take(Buffer bytes) {
    if (promise.future().isComplete()) {
      return;
    }
    arrived.accept(bytes.length());
    if (chunks.length() + bytes.length() > maxPackedBytes) {
      fail(PushRefused.tooLarge(maxBodyBytes));
    } else if (!chunks.take(bytes)) {
      fail(PushRefused.tooMany());
    }
  }

  private void tick() {
    ticks++;
    quietTicks = chunks.length() == lengthAtTick ? quietTicks + 1 : 0;
    lengthAtTick = chunks.length();
    boolean slow = ticks - TICKS_GRACE > chunks.length() / BYTES_PER_TICK_MIN;
    if (quietTicks >= TICKS_GRACE || slow) {
      fail(new PushRefused(408, "body: sent too slowly"));
    }
  }

  private void end() {
    vertx.cancelTimer(timer);
    if (reservation.forbidRevoke()) {
      promise.tryComplete(chunks);
    } else {
      fail(PushRefused.crowdedOut());
    }
  }

  private void fail(Throwable cause) {
    vertx.cancelTimer(timer);
    if (promise.tryFail(cause)) {
      chunks.drop();
    }
  }
}
