package hourglass.config.server;

import hourglass.access.Client;
import hourglass.access.Quotas;
import hourglass.config.gate.ClientAddress;
import hourglass.config.gate.RefusedRequest;
import hourglass.config.gate.RepeatPace;
import hourglass.config.gate.auth.AccessGate;
import hourglass.config.gate.keys.KeyRing;
import hourglass.config.gate.keys.KeysFile;
import hourglass.config.gate.keys.KeysFileException;
import hourglass.config.gate.tls.PeerNames;
import hourglass.config.settings.HttpOptions;
import hourglass.config.settings.Role;
import hourglass.query.erasure.http.ErasureReport;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handlers that every request passes before its route. Thread-safe.
 *
 * @param protocols the push protocols, which answer refusals in their own forms
 * @param audit null if no audit file is configured
 * @param access null if there are no keys, so that every client may read and write
 */
record Gate(
    Protocols protocols, @Nullable RequestAudit audit, @Nullable AccessGate access, Quotas quotas) {
  private static final Logger logger = LoggerFactory.getLogger(Gate.class);

  /**
   * Mounts the gate. Routes are mounted after it.
   *
   * @param page the dashboard, whose files need no key; null without that role
   */
  static Gate mount(Foundation on, @Nullable DashboardFiles page) {
    Router router = on.router();
    ProblemPages.mount(router);
    boolean ingests = on.settings().plays(Role.INGEST);
    Protocols protocols = ingests ? Protocols.of(on.settings()) : new Protocols(List.of());
    protocols.mount(router);
    ClientAddress addresses = new ClientAddress(on.settings().http().trustedProxies());
    addresses.mount(router);
    RequestAudit audit = mountAudit(on, addresses);
    AccessGate access = mountAccess(on, page);
    new RepeatPace(AccessGate::clientOf, System::nanoTime).mount(router);
    on.process().mount(router);
    Quotas quotas =
        new Quotas(
            on.settings().limits(), System::nanoTime, limit -> refusedBy(limit, on.meters()));
    return new Gate(protocols, audit, access, quotas);
  }

  private static @Nullable RequestAudit mountAudit(Foundation on, ClientAddress addresses) {
    if (on.audit() == null) {
      return null;
    }
    long exportBytes = on.settings().audit().exportBytes();
    RequestAudit audit = new RequestAudit(on.audit(), exportBytes, addresses);
    audit.mount(on.router());
    return audit;
  }

  private static @Nullable AccessGate mountAccess(Foundation on, @Nullable DashboardFiles page) {
    Path keysFile = on.settings().keysFile();
    if (keysFile == null) {
      AccessGate.mountWithoutKeys(on.router());
      return null;
    }
    HttpOptions http = on.settings().http();
    if (http.isReadOnTheWay()) {
      logger.warn(
          "http.host = {} without TLS: keys and events can be read on the way; want"
              + " http.tls.cert and http.tls.key, or a loopback address behind a proxy",
          http.host());
    }
    KeyRing ring = on.parts().add(openKeys(keysFile, on));
    AccessGate access =
        new AccessGate(ring, on.clock(), PeerNames::of, path -> page != null && page.has(path));
    access.mount(on.router());
    return access;
  }

  private static KeyRing openKeys(Path file, Foundation on) {
    KeyRing.Listener listener =
        on.audit() == null ? (before, after) -> {} : new KeysAudit(on.audit());
    try {
      return KeyRing.open(new KeysFile(file), on.meters(), listener);
    } catch (KeysFileException e) {
      throw new StartException(
          "keys.file = %s: %s; hourglass key add NAME --scope query --file %s writes one"
              .formatted(file, e.getMessage(), file),
          e);
    }
  }

  private static void refusedBy(String limit, MeterRegistry meters) {
    Counter.builder("hourglass.limits.refused")
        .description("Requests above a limit of their client")
        .tag("limit", limit)
        .register(meters)
        .increment();
  }

  /** Returns the client of a request that has passed the gate, within its quotas. */
  Client clientOf(RoutingContext ctx) {
    return AccessGate.clientOf(ctx).within(quotas);
  }

  /** Returns a receiver of what a request to erase does, for the audit file. */
  Consumer<ErasureReport> erasures(RoutingContext ctx) {
    return audit == null ? report -> {} : audit.erasures(ctx);
  }

  /** Notes a request that was refused before any route because of its host or origin. */
  void refused(HttpServerRequest request, RefusedRequest why) {
    if (audit != null) {
      audit.refused(request, why);
    }
  }
}
