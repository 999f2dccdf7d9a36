package hourglass.config.server;

import hourglass.access.Client;
import hourglass.access.LimitExceededException;
import hourglass.access.RequestId;
import hourglass.config.gate.ClientAddress;
import hourglass.config.gate.RefusedRequest;
import hourglass.config.gate.audit.AuditEvent;
import hourglass.config.gate.audit.AuditLog;
import hourglass.config.gate.auth.AccessGate;
import hourglass.ingest.http.PushProtocol;
import hourglass.query.erasure.http.ErasureReport;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes requests to the audit file: refused ones, those that need the scope admin, those that
 * erase events, those that have ended the work of another client, and large answers. An entry
 * contains the types and the range of a query, but not its filters, which may contain personal
 * data. Thread-safe.
 *
 * @param exportBytes the size from which an answer is an export
 */
record RequestAudit(AuditLog log, long exportBytes, ClientAddress addresses) {

  /** The other client whose work a request has ended. */
  private static final String OTHER = "hourglass.audit.other";

  /** Notes that a request has ended the work of another client, which its line then names. */
  static void endsForOther(RoutingContext ctx, Client other) {
    ctx.put(OTHER, other.share().toString());
  }

  /**
   * Returns a receiver of what a request to erase does. Its line is written before the events are
   * erased, so that no erasure is without one. Thread-safe.
   */
  Consumer<ErasureReport> erasures(RoutingContext ctx) {
    String key = AccessGate.clientOf(ctx).key();
    AuditEvent event = event("erase", ctx.request(), key, ctx.get(ClientAddress.KEY));
    return report ->
        log.add(
            event
                .with("step", report.step())
                .with("id", report.id())
                .with("types", report.types())
                .with("from", report.from())
                .with("to", report.to())
                .with("fields", report.fields())
                .with("events", report.events())
                .with("reason", report.reason()));
  }

  /** Mounts the handler. Mount it after the addresses and before the routes. */
  void mount(Router router) {
    router
        .route()
        .handler(
            ctx -> {
              // The handler also runs, and reports success, when the client disconnects during an
              // answer.
              ctx.addEndHandler(done -> ended(ctx, done.succeeded() && ctx.response().ended()));
              ctx.next();
            });
  }

  /** Writes a request that was refused before any route because of its host or origin. */
  void refused(HttpServerRequest request, RefusedRequest why) {
    if (why.status() != 403 && why.status() != 421) {
      return;
    }
    String address = addresses.of(request);
    String reason = why.status() == 421 ? "host" : "origin";
    log.refused(address, reason, refusal(request, null, address, why.status(), reason));
  }

  private void ended(RoutingContext ctx, boolean isWhole) {
    int status = PushProtocol.status(ctx);
    Client client = AccessGate.clientOf(ctx);
    String key = client.key();
    String address = ctx.get(ClientAddress.KEY);
    String reason = reason(ctx, status);
    if (reason != null) {
      log.refused(
          key == null ? address : "key " + key,
          reason,
          refusal(ctx.request(), key, address, status, reason));
    } else if (AccessGate.isForAdmin(ctx) || ctx.get(OTHER) != null) {
      log.add(
          event("admin", ctx.request(), key, address)
              .with("client", ctx.get(OTHER))
              .with("types", ctx.queryParams().getAll("type"))
              .with("status", status));
    } else if (ctx.response().bytesWritten() >= exportBytes) {
      log.add(export(ctx, event("export", ctx.request(), key, address), isWhole));
    }
  }

  private static @Nullable String reason(RoutingContext ctx, int status) {
    if (ctx.failure() instanceof LimitExceededException limit) {
      return limit.limit();
    }
    return switch (status) {
      case 401 -> AccessGate.hasWrongKey(ctx) ? "wrong key" : "no key";
      case 403 -> "not allowed";
      case 429 -> AccessGate.hasWrongKey(ctx) ? "wrong key" : null;
      // Without keys, everybody may send these requests, so a flood of them is counted too.
      default ->
          status >= 400 && (AccessGate.isForAdmin(ctx) || AccessGate.isForErasures(ctx))
              ? "failed"
              : null;
    };
  }

  private static AuditEvent refusal(
      HttpServerRequest request, @Nullable String key, String address, int status, String reason) {
    return event("refused", request, key, address).with("status", status).with("reason", reason);
  }

  private static AuditEvent export(RoutingContext ctx, AuditEvent event, boolean isWhole) {
    MultiMap asked = ctx.queryParams();
    return event
        .with("bytes", ctx.response().bytesWritten())
        .with("whole", isWhole)
        .with("types", asked.getAll("type"))
        .with("hours", asked.getAll("hour"))
        .with("from", asked.get("from"))
        .with("to", asked.get("to"));
  }

  private static AuditEvent event(
      String name, HttpServerRequest request, @Nullable String key, String address) {
    return AuditEvent.of(name)
        .with("key", key)
        .with("address", address)
        .with("request", request.response().headers().get(RequestId.HEADER))
        .with("method", request.method().name())
        .with("path", request.path());
  }
}
