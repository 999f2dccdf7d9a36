package hourglass.config.server;

import hourglass.access.Failures;
import hourglass.bucketing.Hour;
import hourglass.config.gate.auth.AccessGate;
import hourglass.ingest.kafka.KafkaSource;
import hourglass.store.WideColumnStore;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Answers probes of supervisors and load balancers for the liveness and readiness of the process.
 */
record HealthRoutes(WideColumnStore store, @Nullable KafkaSource kafka) {
  /**
   * The time limit for the check of the store. Probes give up after a few seconds, so a slower
   * store is not ready.
   */
  private static final long CHECK_TIMEOUT_MILLIS = 2_000;

  /** The Retry-After of a process that is not ready: about the interval of probes. */
  private static final String RETRY_AFTER_SECONDS = "5";

  private static final String READY = "ready";
  private static final String UNAVAILABLE = "unavailable";
  private static final int MISSING_NAMED_MAX = 20;

  void mount(Router router) {
    get(router, "/health/live", ctx -> answer(ctx, 200, "{\"status\":\"live\"}\n"));
    get(router, "/health/ready", this::ready);
  }

  /** Mounts a route for GET and for HEAD, because probes need only the status. */
  private static void get(Router router, String path, Handler<RoutingContext> handler) {
    router.route(path).method(HttpMethod.GET).method(HttpMethod.HEAD).handler(handler);
  }

  private void ready(RoutingContext ctx) {
    Future.fromCompletionStage(store.check(), ctx.vertx().getOrCreateContext())
        .timeout(CHECK_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
        .onComplete(checked -> ready(ctx, checked.cause()));
  }

  private void ready(RoutingContext ctx, @Nullable Throwable failure) {
    // A Kafka broker that does not answer is only reported, because pushes and queries work without
    // it.
    boolean isReady = failure == null;
    if (!AccessGate.mayReadAll(ctx)) {
      answer(ctx, isReady, new JsonObject().put("status", isReady ? READY : UNAVAILABLE));
      return;
    }
    JsonObject health =
        new JsonObject()
            .put("status", isReady ? READY : UNAVAILABLE)
            .put("store", failure == null ? READY : reason(failure));
    // A clock that was set back does not make answers wrong; only tails may be out of order.
    long seconds = store.clockBehind().toSeconds();
    if (seconds != 0) {
      health.put("clock", seconds + " s behind the latest time it gave; tails get events as late");
    }
    // The store is ready even if parts that `store.embedded.missing` lists are missing.
    List<String> missing = store.missing(Hour.FIRST, Hour.LAST);
    if (!missing.isEmpty()) {
      health
          .put("parts_missing", missing.size())
          .put("missing", missing.subList(0, Math.min(missing.size(), MISSING_NAMED_MAX)));
    }
    if (kafka != null) {
      health.put("kafka", Objects.requireNonNullElse(kafka.problem(), READY));
    }
    answer(ctx, isReady, health);
  }

  private static void answer(RoutingContext ctx, boolean isReady, JsonObject health) {
    if (!isReady) {
      ctx.response().putHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
    }
    answer(ctx, isReady ? 200 : 503, health.encode() + "\n");
  }

  private static String reason(Throwable failure) {
    Throwable cause = Failures.cause(failure);
    if (cause instanceof TimeoutException) {
      return "no answer in time";
    }
    return cause.getMessage() == null ? cause.toString() : cause.getMessage();
  }

  private static void answer(RoutingContext ctx, int status, String json) {
    if (ctx.response().ended() || ctx.response().closed()) {
      return;
    }
    ctx.response()
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
        .end(json);
  }
}
