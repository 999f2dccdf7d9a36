package hourglass.ingest.protocols.otlp;

import hourglass.http.UnreadBody;
import hourglass.ingest.decode.IdentityRule;
import hourglass.ingest.http.IngestRoutes;
import hourglass.ingest.http.PushProtocol;
import hourglass.ingest.http.PushRefused;
import hourglass.ingest.http.PushRules;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves OTLP over HTTP and gRPC, version 1: <a
 * href="https://opentelemetry.io/docs/specs/otlp/">its specification</a>. Logs become events, and
 * spans too if they are wanted; metrics are only counted. Thread-safe.
 */
public final class Otlp extends PushProtocol {
  public static final String NAME = "otlp";

  /**
   * The default rules. Exporters encode a batch once and repeat its bytes, so a body identifies its
   * records. The Collector encodes anew, from the same lists in the same order.
   */
  public static final PushRules DEFAULTS =
      PushRules.ofProtocol("unknown_service", IdentityRule.BODY);

  private static final Logger logger = LoggerFactory.getLogger(Otlp.class);

  /** The roots of the paths; Loki uses the second one. */
  private static final List<String> ROOTS = List.of("", "/otlp");

  private final Set<Signal> kept;

  /** The signals whose refusal is already in the log. */
  private final Set<Signal> told = ConcurrentHashMap.newKeySet();

  /**
   * Creates the protocol.
   *
   * @param keepsSpans whether a span becomes an event
   */
  public Otlp(PushRules rules, boolean keepsSpans) {
    super(NAME, rules);
    this.kept = keepsSpans ? EnumSet.of(Signal.LOGS, Signal.TRACES) : EnumSet.of(Signal.LOGS);
  }

  @Override
  public void mount(Router router, IngestRoutes pushes) {
    for (Signal signal : Signal.values()) {
      for (String root : ROOTS) {
        router.post(root + signal.path).handler(ctx -> export(ctx, signal, pushes));
      }
      router.post(signal.service).handler(ctx -> call(ctx, signal, pushes));
    }
  }

  private void export(RoutingContext ctx, Signal signal, IngestRoutes pushes) {
    String contentType = ctx.request().getHeader(HttpHeaders.CONTENT_TYPE);
    pushes.push(this, ctx, new ExportRequest(this, signal, ExportAnswer.ofType(contentType)));
  }

  private void call(RoutingContext ctx, Signal signal, IngestRoutes pushes) {
    if (Grpc.isCall(ctx.request())) {
      pushes.push(this, ctx, new ExportRequest(this, signal, ExportAnswer.GRPC));
      return;
    }
    UnreadBody.discard(ctx);
    if (ctx.request().version() == HttpVersion.HTTP_2) {
      ExportAnswer.of(ctx).refuse(ctx, 415, "Content-Type: want " + Grpc.CONTENT_TYPE);
    } else {
      String problem = "gRPC needs HTTP/2; over HTTP/1.1, send to " + signal.path;
      ExportAnswer.of(ctx).refuse(ctx, 505, problem);
    }
  }

  @Override
  public void mountForm(Router router, Handler<RoutingContext> form) {
    router.route(Signal.SERVICES + "*").handler(form);
    ROOTS.forEach(root -> router.route(root + "/v1/*").handler(form));
  }

  boolean keeps(Signal signal) {
    return kept.contains(signal);
  }

  /** Logs that records are ignored, once for each signal, not for each request. */
  void tellOfIgnored(Signal signal, String problem) {
    if (told.add(signal)) {
      logger.info("{}: {}; further ones are counted as not_kept alone", signal.path, problem);
    }
  }

  @Override
  public void refuse(RoutingContext ctx, PushRefused refused) {
    refused.putHeader(ctx.response());
    int status = refused.status();
    if (refused.isTransient()) {
      // Exporters repeat a batch after 429, 502, 503 and 504, and drop it after any other status.
      status = status == 429 ? status : 503;
      if (!ctx.response().headers().contains(HttpHeaders.RETRY_AFTER)) {
        ctx.response().putHeader(HttpHeaders.RETRY_AFTER, "1");
      }
    }
    ExportAnswer.of(ctx).refuse(ctx, status, refused.detail());
  }
}
