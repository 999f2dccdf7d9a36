package hourglass.ingest.protocols.journal;

import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.http.IngestRoutes;
import hourglass.ingest.http.PushProtocol;
import hourglass.ingest.http.PushRefused;
import hourglass.ingest.http.PushRules;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Serves the path of systemd-journal-remote. Its client sends all entries after its cursor in one
 * request, and moves the cursor when that is answered with 2xx. After any other answer it ends, and
 * sends the same entries again when systemd has restarted it: their cursors identify them.
 */
public final class JournalUpload extends PushProtocol {
  public static final String NAME = "journal";

  /** The default rules. Entries have ids; one without an id is a new event each time it is sent. */
  public static final PushRules DEFAULTS = PushRules.ofProtocol(NAME, IdentityRule.NONE);

  private static final String PATH = "/upload";
  private static final String CONTENT_TYPE = "application/vnd.fdo.journal";

  public JournalUpload(PushRules rules) {
    super(NAME, rules);
  }

  @Override
  public void mount(Router router, IngestRoutes pushes) {
    router
        .post(PATH)
        .handler(
            ctx ->
                pushes.stream(
                    this,
                    ctx,
                    (memory, maxEventBytes) -> {
                      check(ctx.request().getHeader(HttpHeaders.CONTENT_TYPE));
                      return new EntryReader(memory, maxEventBytes);
                    }));
  }

  private static void check(@Nullable String contentType) {
    String type = contentType == null ? "" : contentType.split(";", 2)[0].strip();
    if (!type.toLowerCase(Locale.ROOT).equals(CONTENT_TYPE)) {
      throw new PushRefused(
          415, "Content-Type: \"%s\", want %s".formatted(contentType, CONTENT_TYPE));
    }
  }

  @Override
  public void mountForm(Router router, Handler<RoutingContext> form) {
    router.route(PATH + "/*").handler(form); // PATH too
  }

  @Override
  public void answerStream(RoutingContext ctx) {
    answer(ctx, 200, "OK.");
  }

  @Override
  public void refuse(RoutingContext ctx, PushRefused refused) {
    refused.putHeader(ctx.response());
    answer(ctx, refused.status() == 429 ? 503 : refused.status(), refused.detail());
  }

  /** Answers with a text, which the client writes into its log. */
  private static void answer(RoutingContext ctx, int status, String text) {
    HttpServerResponse response = ctx.response();
    if (!response.closed() && !response.ended()) {
      response
          .setStatusCode(status)
          .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
          .end(text + "\n");
    }
  }
}
