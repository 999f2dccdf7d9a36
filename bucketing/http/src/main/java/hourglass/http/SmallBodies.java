package hourglass.http;

import hourglass.access.SharedPlaces;
import hourglass.access.SharedPlaces.Stalled;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the small bodies of requests that are no pushes, such as forms. A body needs a place before
 * its first byte is kept, so all of them together hold at most {@link #PLACES} times the largest.
 * Clients share the places. Thread-safe.
 */
public final class SmallBodies {
  /**
   * The bodies that may be received at the same time. Nearly all arrive with their head, and need
   * their place for less than a millisecond. The largest body is a form of 152 KiB, whose buffer
   * grows to 256 KiB: 16 MiB for all.
   */
  public static final int PLACES = 64;

  /** The time for one body, as long as a push may be silent. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /**
   * The time without data after which a body may lose its place to a body of the same client, or of
   * one that holds fewer.
   */
  private static final Duration STALLED = Duration.ofSeconds(1);

  private final SharedPlaces<Reading> places;
  private final long patienceMillis;
  private final LongSupplier nanos;

  public SmallBodies() {
    this(PATIENCE, System::nanoTime);
  }

  /**
   * Creates a reader of bodies.
   *
   * @param patience the time for one body
   * @param nanos a monotonic clock
   */
  public SmallBodies(Duration patience, LongSupplier nanos) {
    this.patienceMillis = patience.toMillis();
    this.nanos = nanos;
    places = new SharedPlaces<>(PLACES, nanos, Stalled.OWN_OR_OF_LARGER_LEAVES, STALLED.toNanos());
  }

  /** Returns the number of bodies that are being received. */
  public int size() {
    return places.size();
  }

  /**
   * Reads a body to its end. It must be called on the event loop, before any handler that waits.
   * Fails with an {@link HttpException}: 413 for a larger body, 408 for a slow one, 429 without a
   * place; or with the cause of a lost connection.
   *
   * @param client equal for all requests that share places
   * @param bytesMax limit of the body; at most 152 KiB
   */
  public Future<Buffer> read(RoutingContext ctx, Object client, int bytesMax) {
    Reading reading = new Reading(ctx, client, bytesMax);
    reading.begin();
    return reading.read.future();
  }

  /** One body. Used by its event loop, except for {@link #idleSince} and {@link #crowdOut}. */
  private final class Reading implements SharedPlaces.Holder {
    private final RoutingContext ctx;
    private final HttpServerRequest request;
    private final Context context;
    private final Object client;
    private final int bytesMax;
    private final Promise<Buffer> read = Promise.promise();
    private Buffer bytes = Buffer.buffer();
    private volatile long arrivedNanos = nanos.getAsLong();
    private long timer = -1;

    private Reading(RoutingContext ctx, Object client, int bytesMax) {
      this.ctx = ctx;
      this.request = ctx.request();
      this.context = ctx.vertx().getOrCreateContext();
      this.client = client;
      this.bytesMax = bytesMax;
    }

    private void begin() {
      if (announced(request.getHeader(HttpHeaders.CONTENT_LENGTH)) > bytesMax) {
        tooLarge();
        return;
      }
      Optional<Reading> leaves = places.add(client, this);
      if (leaves.isPresent() && leaves.get() == this) {
        fail(429, "body: others are being received, the most that are allowed");
        return;
      }
      leaves.ifPresent(Reading::crowdOut);
      timer = ctx.vertx().setTimer(patienceMillis, id -> fail(408, "body: sent too slowly"));
      request.exceptionHandler(this::end);
      request.endHandler(ended -> end(null));
      request.handler(this::take);
      if ("100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))) {
        ctx.response().writeContinue();
      }
    }

    private void take(Buffer more) {
      if (bytes.length() + more.length() > bytesMax) {
        tooLarge();
      } else {
        bytes.appendBuffer(more);
        arrivedNanos = nanos.getAsLong();
      }
    }

    @Override
    public long idleSince() {
      return arrivedNanos;
    }

    /** Fails this body. Another client already has its place. */
    void crowdOut() {
      context.runOnContext(ignored -> fail(429, "body: its place went to another request"));
    }

    private void tooLarge() {
      fail(413, "body: more than %d bytes".formatted(bytesMax));
    }

    private void fail(int status, String detail) {
      if (read.future().isComplete()) {
        return;
      }
      request.handler(rest -> {});
      if (request.version() != HttpVersion.HTTP_2 && !ctx.response().headWritten()) {
        ctx.response().putHeader(HttpHeaders.CONNECTION, HttpHeaders.CLOSE);
      }
      end(new HttpException(status, detail));
    }

    /** Ends the reading. The request outlives it, so this releases the bytes. */
    private void end(@Nullable Throwable failure) {
      Buffer all = bytes;
      bytes = Buffer.buffer();
      ctx.vertx().cancelTimer(timer);
      places.remove(this);
      if (failure == null) {
        read.tryComplete(all);
      } else {
        read.tryFail(failure);
      }
    }
  }

  /** Returns the announced length; -1 if it is unknown. */
  private static long announced(@Nullable String contentLength) {
    try {
      return contentLength == null ? -1 : Long.parseLong(contentLength.trim());
    } catch (NumberFormatException e) {
      return -1; // the HTTP decoder refuses it
    }
  }
}
