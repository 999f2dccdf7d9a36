package hourglass.config.http;

import hourglass.access.Client;
import hourglass.ingest.http.BodyPause;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Slows down a client that repeats a request at once after it was refused for want of room. A
 * refusal is cheap, but ten thousand a second would take the time of other clients. Thread-safe.
 */
public final class RepeatPace implements Handler<RoutingContext> {
  /** How long a repeat waits before it is looked at: each connection sends four a second. */
  private static final long PAUSE_MILLIS = 250;

  /** A later repeat is none: every refusal asks for a pause of a second or more. */
  private static final long AT_ONCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Some 100 bytes each. Further clients are not slowed down while as many were just refused. */
  private static final int REFUSED_MAX = 10_000;

  private final Function<RoutingContext, Client> clients;
  private final LongSupplier nanos;
  private final long pauseMillis;

  /** When each request was refused last. Guarded by this. */
  private final Map<Repeat, Long> refused = new HashMap<>();

  /** What a client must repeat to be slowed down: a refused push delays none of its queries. */
  private record Repeat(Object client, HttpMethod method, String path) {}

  /**
   * @param clients who has sent a request
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

  /** After the client is known, and before every route that may refuse it. */
  public void mount(Router router) {
    router.route().handler(this);
  }

  @Override
  public void handle(RoutingContext ctx) {
    HttpServerRequest request = ctx.request();
    Repeat repeat = new Repeat(clients.apply(ctx).share(), request.method(), ctx.normalizedPath());
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
    BodyPause body = new BodyPause(request); // it is kept for the route
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
    if (refused.size() >= REFUSED_MAX) {
      refused.values().removeIf(when -> !isFresh(when));
    }
    if (refused.size() < REFUSED_MAX) {
      refused.put(repeat, nanos.getAsLong());
    }
  }
}
