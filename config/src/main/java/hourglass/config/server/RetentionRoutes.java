package hourglass.config.server;

import hourglass.store.DiskBudget;
import hourglass.store.Retention;
import hourglass.store.RetentionOutlook;
import hourglass.store.WideColumnStore;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Tells how long events are kept, and which hours go next. */
record RetentionRoutes(WideColumnStore store, Retention retention, DiskBudget budget) {
  /** The most hours of an answer: days ahead, in an answer of some kB. */
  private static final int HOURS_MAX = 100;

  void mount(Router router) {
    router.get("/api/v1/retention").handler(this::tell);
  }

  private void tell(RoutingContext ctx) {
    Future.fromCompletionStage(store.outlook(HOURS_MAX), ctx.vertx().getOrCreateContext())
        .onSuccess(outlook -> send(ctx, answer(outlook)))
        .onFailure(ctx::fail);
  }

  private JsonObject answer(RetentionOutlook outlook) {
    JsonArray next = new JsonArray();
    for (RetentionOutlook.Due due : outlook.next()) {
      next.add(
          new JsonObject()
              .put("hour", due.hour().toString())
              .put("why", due.why())
              .put("at", due.at().toString()));
    }
    return new JsonObject()
        .put("policy", policy())
        .put("bytes", outlook.usedBytes())
        .put("bytes_per_day", outlook.bytesPerDay())
        .put("next", next);
  }

  private JsonObject policy() {
    JsonObject types = new JsonObject();
    new TreeMap<>(retention.byType()).forEach((type, keep) -> types.put(type, seconds(keep)));
    boolean hasBytes = budget.bytesMax() != DiskBudget.NO_BYTES_MAX;
    boolean hasPercent = budget.diskPercentMax() != DiskBudget.WHOLE_DISK;
    return new JsonObject()
        .put("default_s", seconds(retention.byDefault()))
        .put("types_s", types)
        .put("max_bytes", hasBytes ? budget.bytesMax() : null)
        .put("max_disk_percent", hasPercent ? budget.diskPercentMax() : null)
        .put("keep_at_least_s", budget.keepAtLeast().toSeconds())
        .put("pass_pause_s", budget.passPause().toSeconds());
  }

  /** Returns seconds; null if events are kept forever. */
  private static @Nullable Long seconds(Duration keep) {
    return keep.equals(Retention.FOREVER) ? null : keep.toSeconds();
  }

  private static void send(RoutingContext ctx, JsonObject answer) {
    if (!ctx.response().ended() && !ctx.response().closed()) {
      ctx.response()
          .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
          .putHeader(HttpHeaders.CACHE_CONTROL, "no-store")
          .end(answer.encode() + "\n");
    }
  }
}
