package hourglass.config.server;

import hourglass.config.gate.RequestMemory;
import hourglass.config.gate.audit.AuditEvent;
import hourglass.config.settings.Role;
import hourglass.config.settings.Settings;
import hourglass.query.http.TailRoutes;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import java.time.Clock;
import java.util.Collection;
import java.util.List;

/** One process: its roles, and the parts that they share. Thread-safe. */
public final class Hourglass implements AutoCloseable {
  private final Parts parts;
  private final Router router;
  private final String address;

  private Hourglass(Parts parts, Router router, String address) {
    this.parts = parts;
    this.router = router;
    this.address = address;
  }

  /**
   * Starts the roles, which serve when this returns. The wall clock may be set while the process
   * runs. Throws {@link StartException} if a part cannot start.
   */
  public static Hourglass start(Settings settings, Clock clock) {
    Parts parts = new Parts();
    try {
      return compose(settings, Foundation.start(settings, clock, parts));
    } catch (RuntimeException e) {
      parts.close();
      throw e;
    }
  }

  /** Creates the parts and connects them: the composition root. Parts are closed last to first. */
  private static Hourglass compose(Settings settings, Foundation on) {
    DashboardFiles page = settings.plays(Role.DASHBOARD) ? new DashboardFiles() : null;
    Gate gate = Gate.mount(on, page);
    IngestRole ingest = settings.plays(Role.INGEST) ? IngestRole.start(on, gate) : null;
    TailRoutes tails = settings.plays(Role.QUERY) ? QueryRole.mount(on, gate) : null;
    new HealthRoutes(on.store(), ingest == null ? null : ingest.kafka()).mount(on.router());
    new DiagnosisRoute(on.settings(), on.clock(), on.process(), on.log()).mount(on.router());
    new HourRoutes(on.store(), on.drops()).mount(on.router());
    new RetentionRoutes(on.store(), settings.store().retention(), settings.store().budget())
        .mount(on.router());
    BackupRoutes.of(on).mount(on.router());
    if (page != null) {
      page.mount(on.router());
    }
    HttpListener listener =
        HttpListener.listen(
            on.runtime(),
            settings.http(),
            on.tls(),
            on.router(),
            RequestMemory.ofHeap(),
            gate::refused);
    on.parts().add(listener);
    if (on.audit() != null) {
      on.audit()
          .add(
              AuditEvent.of("start")
                  .with("listens", listener.address())
                  .with("version", Version.text()));
    }
    if (ingest != null && ingest.syslog() != null) {
      on.parts().add(ingest.syslog()::stop); // so that it reads no more while the listener ends
    }
    if (tails != null) {
      on.parts().add(tails); // ends first, since the listener waits for requests under way
    }
    on.parts().add(QuietHeap.start());
    WarmUp.Watch practice = null;
    if (tails != null && !settings.warmUp().isZero()) {
      practice = WarmUp.start(on, () -> isAsked(on.meters()));
      on.parts().add(practice);
    }
    ClassArchive archive =
        ClassArchive.start(
            () -> isUsed(on.meters()), practice == null ? () -> true : practice::hasBegun);
    if (archive != null) {
      on.parts().add(archive);
    }
    return new Hourglass(on.parts(), on.router(), listener.address());
  }

  /**
   * Returns whether the process has accepted or rejected events. A process that does not ingest
   * counts as used from its start.
   */
  private static boolean isUsed(MeterRegistry meters) {
    Collection<Counter> events = meters.find("hourglass.ingest.events").counters();
    return events.isEmpty() || events.stream().anyMatch(verdict -> verdict.count() > 0);
  }

  /** Returns whether a client has asked a query. */
  private static boolean isAsked(MeterRegistry meters) {
    return meters.find("hourglass.query").timers().stream().anyMatch(query -> query.count() > 0);
  }

  /** Returns every route of the process, for a test that each has a rule of access. */
  List<Route> routes() {
    return router.getRoutes();
  }

  /** Returns the address of the HTTP listener, such as {@code http://127.0.0.1:8080}. */
  public String address() {
    return address;
  }

  /** Stops accepting requests, finishes those that were accepted, and makes everything durable. */
  @Override
  public void close() {
    parts.close();
  }
}
