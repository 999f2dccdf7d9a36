package hourglass.config.server;

import hourglass.access.Failures;
import hourglass.bucketing.Hour;
import hourglass.store.CorruptException;
import hourglass.store.RowEntry;
import hourglass.store.WideColumnStore;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Drops hours on request. */
record HourRoutes(WideColumnStore store, DropReport drops) {
  private static final Logger logger = LoggerFactory.getLogger(HourRoutes.class);

  void mount(Router router) {
    router.delete("/api/v1/hours/:hour").handler(this::drop);
  }

  private void drop(RoutingContext ctx) {
    Hour hour = hour(ctx.pathParam("hour"));
    if (!ctx.queryParams().isEmpty()) { // a part of an hour must never be taken for all of it
      throw new HttpException(
          400,
          "%s: not allowed; an hour is dropped whole"
              .formatted(ctx.queryParams().names().iterator().next()));
    }
    CompletionStage<JsonObject> dropped =
        rows(hour).thenCompose(rows -> store.drop(hour).thenApply(done -> answer(hour, rows)));
    Future.fromCompletionStage(dropped, ctx.vertx().getOrCreateContext())
        .onSuccess(answer -> send(ctx, answer))
        .onFailure(ctx::fail);
  }

  private static Hour hour(String text) {
    try {
      return Hour.parse(text);
    } catch (IllegalArgumentException e) {
      throw new HttpException(400, e.getMessage());
    }
  }

  /** Reads the directory of an hour. Null if it is damaged, which must not prevent its drop. */
  private CompletionStage<@Nullable List<RowEntry>> rows(Hour hour) {
    return store
        .rows(hour)
        .<CompletionStage<@Nullable List<RowEntry>>>handle(
            (rows, failure) -> {
              if (failure == null) {
                return CompletableFuture.completedFuture(rows);
              }
              Throwable cause = Failures.cause(failure);
              return cause instanceof CorruptException
                  ? CompletableFuture.completedFuture(null)
                  : CompletableFuture.failedFuture(cause);
            })
        .thenCompose(rows -> rows);
  }

  private JsonObject answer(Hour hour, @Nullable List<RowEntry> rows) {
    if (rows == null || !rows.isEmpty()) {
      drops.droppedOnRequest();
    }
    JsonObject counts =
        new JsonObject()
            .put("rows", rows == null ? null : rows.size())
            .put("events", sum(rows, RowEntry::columns))
            .put("bytes", sum(rows, RowEntry::bytes));
    logger.info("{}: dropped on request: {}", hour, counts);
    return new JsonObject().put("dropped", counts);
  }

  private static @Nullable Long sum(
      @Nullable List<RowEntry> rows, ToLongFunction<RowEntry> figure) {
    return rows == null ? null : rows.stream().mapToLong(figure).sum();
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
