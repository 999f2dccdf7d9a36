package hourglass.config.gate;

import hourglass.access.Client;
import hourglass.http.BodyPause;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Slows down a client that repeats a request at once after it was refused for lack of room. A
 * refusal is cheap, but ten thousand a second would use the processor time of other clients.
 * Thread-safe.
 */
public final class RepeatPace implements Handler<RoutingContext> {
  /**
   * The time that a repeat waits before it is handled, so that each connection or stream repeats at
   * most four times a second.
   */
  private static final long PAUSE_MILLIS = 250;

  private static final String HEALTH = "/health/";

  /**
   * The time after a refusal within which the same request is a repeat. Every refusal asks for a
   * pause of a second or more.
   */
  private static final long AT_ONCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * The most refusals that are remembered, at some 100 bytes each. While all of them are recent,
   * further clients are not slowed down.
   */
  private static final int REFUSED_MAX = 10_000;

  /**
   * The number of classes into which paths are hashed, because clients can send any number of paths
   * of any length.
   */
  private static final int KINDS = 64;

  private final Function<RoutingContext, Client> clients;
  private final LongSupplier nanos;
  private final long pauseMillis;

  /** The times of the last refusals by request, the oldest first. Guarded by this. */
  private final Map<Repeat, Long> refused = new LinkedHashMap<>();

  /**
   * The identity of a request: a client is slowed down if it repeats all of it. A refused push thus
   * delays none of the client's queries.
   */
  private record Repeat(Object client, HttpMethod method, int kind) {
    private static Repeat of(Client client, HttpServerRequest request) {
      int kind = Math.floorMod(String.valueOf(request.path()).hashCode(), KINDS);
      return new Repeat(client.share(), request.method(), kind);
    }
  }

  /**
   * Creates a handler.
   *
   * @param clients finds the client of a request
   * @param nanos a monotonic clock
   */
  public RepeatPace(Function<RoutingContext, Client> clients, LongSupplier nanos) {
    this(clients, nanos, PAUSE_MILLIS);
  }

  RepeatPace(Function<RoutingContext, Client> clients, LongSupplier nanos, long pauseMillis) {
    this.clients = clients;
    this.nanos = nanos;
    this.pauseMillis = pauseMillis;
  }

  /**
   * Mounts the handler. Mount it after the client is known, and before every route that may refuse
   * it.
   */
  public void mount(Router router) {
    router.route().handler(this);
  }

  @Override
  public void handle(RoutingContext ctx) {
    HttpServerRequest request = ctx.request();
    if (String.valueOf(request.path()).startsWith(HEALTH)) {
      ctx.next(); // a probe answered "not ready" is not a refusal
      return;
    }
    Repeat repeat = Repeat.of(clients.apply(ctx), request);
    ctx.addEndHandler(
        ended -> {
          if (isForWantOfRoom(ctx.response().getStatusCode())) {
            remember(repeat);
          }
        });
    if (!wasJustRefused(repeat)) {
      ctx.next();
      return;
    }
    BodyPause body = new BodyPause(ctx); // the body is kept for the route
    body.begin();
    ctx.vertx()
        .setTimer(
            pauseMillis,
            timer -> {
              if (!ctx.response().closed()) {
                body.end();
                ctx.next();
              }
            });
  }

  private static boolean isForWantOfRoom(int status) {
    return status == 429 || status == 503;
  }

  private synchronized boolean wasJustRefused(Repeat repeat) {
    Long when = refused.get(repeat);
    return when != null && isFresh(when);
  }

  private boolean isFresh(long when) {
    return nanos.getAsLong() - when < AT_ONCE_NANOS;
  }

  private synchronized void remember(Repeat repeat) {
    Iterator<Long> oldest = refused.values().iterator();
    while (oldest.hasNext() && !isFresh(oldest.next())) {
      oldest.remove();
    }
    refused.remove(repeat); // so that it is put at the end, as the newest
    if (refused.size() < REFUSED_MAX) {
      refused.put(repeat, nanos.getAsLong());
    }
  }
}
