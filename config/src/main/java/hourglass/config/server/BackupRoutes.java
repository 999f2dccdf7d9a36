package hourglass.config.server;

import hourglass.access.Failures;
import hourglass.config.gate.auth.AccessGate;
import hourglass.config.settings.BackupOptions;
import hourglass.http.SmallBodies;
import hourglass.store.CorruptException;
import hourglass.store.DiskBudget;
import hourglass.store.embedded.EmbeddedStore;
import hourglass.store.embedded.backup.BackupState;
import hourglass.store.embedded.backup.Backups;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.HttpException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Serves {@code /api/v1/backups}, which begins a backup and shows how far it is. Thread-safe.
 *
 * @param backups null if the engine makes none
 * @param mayLink false if links would make a budget of the disk drop more and more
 */
record BackupRoutes(
    @Nullable Backups backups,
    BackupFolders folders,
    boolean mayLink,
    long bytesPerSecond,
    SmallBodies bodies) {
  private static final String PATH = "/api/v1/backups";

  /** The size limit of a body. A path has up to 4,096 bytes. */
  private static final int BODY_BYTES_MAX = 16 << 10;

  private static final String WANT =
      "body: want {\"to\":\"/folder/of/the/server\"}, and perhaps \"link\":true";

  static BackupRoutes of(Foundation on) {
    BackupOptions options = on.settings().backup();
    return new BackupRoutes(
        on.engine() instanceof EmbeddedStore store ? store.backups() : null,
        new BackupFolders(options.dirs()),
        on.settings().store().budget().diskPercentMax() == DiskBudget.WHOLE_DISK,
        options.bytesPerSecond(),
        new SmallBodies());
  }

  void mount(Router router) {
    router.post(PATH).handler(this::read);
    router.get(PATH).handler(this::show);
  }

  private void read(RoutingContext ctx) {
    bodies
        .read(ctx, AccessGate.clientOf(ctx).share(), BODY_BYTES_MAX)
        .compose(body -> begin(ctx, body))
        .onSuccess(
            begun -> {
              ctx.response().setStatusCode(202);
              answer(ctx, json(begun));
            })
        .onFailure(
            refusal -> {
              if (!ctx.response().closed()) {
                ctx.fail(refusal(refusal));
              }
            });
  }

  private Future<BackupState> begin(RoutingContext ctx, Buffer body) {
    if (backups == null) {
      throw new HttpException(
          501,
          "backups are made of the embedded engine only; a cluster of Cassandra is backed up with"
              + " snapshots of its nodes (nodetool snapshot)");
    }
    Request request = Request.of(body);
    if (request.link() && !mayLink) {
      throw new HttpException(
          400,
          "link: links keep the space of dropped hours, so that retention.max-disk-percent would"
              + " drop more and more; want copies, or retention.max-bytes");
    }
    // The folder may be on a disk that is slow to answer.
    return ctx.vertx()
        .executeBlocking(() -> folders.require(request.to()), false)
        .compose(
            folder ->
                Future.fromCompletionStage(
                    backups.begin(folder, request.link(), bytesPerSecond),
                    ctx.vertx().getOrCreateContext()));
  }

  /**
   * The body of a request.
   *
   * @param link whether page files are linked in place of copies
   */
  private record Request(String to, boolean link) {
    private static final Set<String> MEMBERS = Set.of("to", "link");

    static Request of(Buffer body) {
      try {
        if (body.toJsonValue() instanceof JsonObject given
            && MEMBERS.containsAll(given.fieldNames())
            && given.getValue("to") instanceof String to
            && given.getValue("link", false) instanceof Boolean link) {
          return new Request(to, link);
        }
      } catch (DecodeException e) {
        throw new HttpException(400, WANT, e);
      }
      throw new HttpException(400, WANT);
    }
  }

  private static Throwable refusal(Throwable failure) {
    Throwable cause = Failures.cause(failure);
    if (cause instanceof Backups.RunningException) {
      return new HttpException(409, cause.getMessage());
    }
    return cause instanceof IllegalArgumentException || cause instanceof CorruptException
        ? new HttpException(400, cause.getMessage())
        : cause;
  }

  private void show(RoutingContext ctx) {
    BackupState last = backups == null ? null : backups.last();
    JsonArray all = last == null ? new JsonArray() : new JsonArray().add(json(last));
    answer(ctx, new JsonObject().put("backups", all));
  }

  private static void answer(RoutingContext ctx, JsonObject json) {
    ctx.response().putHeader("Cache-Control", "no-store");
    ctx.json(json);
  }

  private static JsonObject json(BackupState state) {
    return new JsonObject()
        .put("id", state.id())
        .put("to", state.to().toString())
        .put("link", state.link())
        .put("state", state.phase().name().toLowerCase(Locale.ROOT))
        .put("files", state.files())
        .put("files_new", state.filesNew())
        .put("files_missing", state.missing())
        .put("bytes", state.bytes())
        .put("bytes_new", state.bytesToCopy())
        .put("bytes_copied", state.bytesNew())
        .put("rows", state.rows())
        .put("rows_damaged", state.damaged())
        .put("began", state.began().toString())
        .put("ended", state.ended() == null ? null : state.ended().toString())
        .put("error", state.failure());
  }
}
