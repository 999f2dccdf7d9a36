package hourglass.config.server;

import hourglass.access.Failures;
import hourglass.bucketing.EventType;
import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import hourglass.store.Limitation;
import hourglass.store.RowEntry;
import hourglass.store.WideColumnStore;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Drops hours, and single types of hours, on request. */
record HourRoutes(WideColumnStore store, DropReport drops) {
  private static final Logger logger = LoggerFactory.getLogger(HourRoutes.class);
  private static final String TYPE = "type";

  /** The part of an hour that a request names; all of it if the type is null. */
  private record Part(Hour hour, @Nullable String type) {
    boolean has(RowEntry entry) {
      return type == null || entry.row().type().equals(type);
    }

    CompletionStage<Void> dropFrom(WideColumnStore store) {
      return type == null ? store.drop(hour) : store.drop(new TypeHour(hour, type));
    }

    @Override
    public String toString() {
      return type == null ? hour.toString() : hour + ", type " + type;
    }
  }

  void mount(Router router) {
    router.delete("/api/v1/hours/:hour").handler(this::drop);
  }

  private void drop(RoutingContext ctx) {
    Part part = new Part(hour(ctx.pathParam("hour")), type(ctx.queryParams()));
    CompletionStage<JsonObject> dropped =
        rows(part).thenCompose(rows -> part.dropFrom(store).thenApply(done -> answer(part, rows)));
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

  /** Reads the type; null if there is none. Anything else must never drop a whole hour. */
  private @Nullable String type(MultiMap parameters) {
    for (String name : parameters.names()) {
      if (!name.equals(TYPE)) {
        throw new HttpException(400, name + ": unknown parameter; allowed is " + TYPE);
      }
    }
    List<String> types = parameters.getAll(TYPE);
    if (types.isEmpty()) {
      return null;
    }
    if (types.size() > 1 || !EventType.isValid(types.get(0))) {
      throw new HttpException(400, TYPE + ": want one type of 1 to 256 bytes, or none for all");
    }
    if (store.limitations().contains(Limitation.DROPS_WHOLE_HOURS)) {
      throw new HttpException(400, TYPE + ": not allowed; this store drops whole hours only");
    }
    return types.get(0);
  }

  /**
   * Reads the directory of what is dropped. Null if it cannot be read, which must not prevent the
   * drop.
   */
  private CompletionStage<@Nullable List<RowEntry>> rows(Part part) {
    return store
        .rows(part.hour())
        .<@Nullable List<RowEntry>>handle(
            (rows, failure) -> {
              if (failure == null) {
                return rows.stream().filter(part::has).toList();
              }
              logger.warn(
                  "{}: its rows cannot be read: {}", part, Failures.cause(failure).toString());
              return null;
            });
  }

  private JsonObject answer(Part part, @Nullable List<RowEntry> rows) {
    if (rows == null || !rows.isEmpty()) {
      drops.droppedOnRequest();
    }
    JsonObject counts =
        new JsonObject()
            .put("rows", rows == null ? null : rows.size())
            .put("events", sum(rows, RowEntry::columns))
            .put("bytes", sum(rows, RowEntry::bytes));
    logger.info("{}: dropped on request: {}", part, counts);
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
