package hourglass.config.server;

import hourglass.config.gate.auth.AccessGate;
import hourglass.config.settings.Settings;
import hourglass.query.erasure.DryRuns;
import hourglass.query.erasure.ErasureService;
import hourglass.query.erasure.http.ErasureRoutes;
import hourglass.query.http.QueryRoutes;
import hourglass.query.http.QueryRunner;
import hourglass.query.http.RunningQueryRoutes;
import hourglass.query.http.TailRoutes;
import hourglass.query.line.StreamLabels;
import hourglass.query.loki.http.LokiDeleteRoutes;
import hourglass.query.loki.http.LokiRoutes;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;

/** The role that answers queries and tails, in our own API and in Loki's. */
final class QueryRole {
  private QueryRole() {}

  /** Mounts the routes, and returns those of tails, which end before the listener does. */
  static TailRoutes mount(Foundation on, Gate gate) {
    Settings settings = on.settings();
    Clock steady = steadyClock();
    QueryRoutes queries =
        new QueryRoutes(
            on.store(),
            settings.query(),
            on.clock(),
            steady,
            on.meters(),
            on.workers().query(),
            on.workers().waiting(),
            on.rowCache(),
            gate::clientOf);
    queries.mount(on.router());
    new RunningQueryRoutes(queries.runner(), AccessGate::mayManage, RequestAudit::endsForOther)
        .mount(on.router());
    TailRoutes tails =
        new TailRoutes(
            queries,
            on.store(),
            settings.query(),
            settings.tails(),
            steady,
            on.meters(),
            on.workers().query(),
            on.workers().waiting(),
            gate::clientOf);
    tails.mount(on.router());
    StreamLabels labels = new StreamLabels(settings.lokiLabels());
    new LokiRoutes(queries.runner(), tails, labels, on.clock()).mount(on.router());
    mountErasures(on, gate, queries.runner(), labels, steady);
    return tails;
  }

  private static void mountErasures(
      Foundation on, Gate gate, QueryRunner runner, StreamLabels labels, Clock steady) {
    ErasureService erasures = new ErasureService(on.store(), on.clock(), steady);
    new ErasureRoutes(runner, erasures, new DryRuns(steady), gate::erasures).mount(on.router());
    new LokiDeleteRoutes(runner, erasures, labels, on.clock(), gate::erasures).mount(on.router());
  }

  /**
   * Creates a clock that measures durations. It is unrelated to the time of day and never set back.
   */
  private static Clock steadyClock() {
    long startNanos = System.nanoTime();
    InstantSource steady = () -> Instant.EPOCH.plusNanos(System.nanoTime() - startNanos);
    return steady.withZone(ZoneOffset.UTC);
  }
}
