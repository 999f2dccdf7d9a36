package hourglass.config.server;

import hourglass.config.gate.Problem;
import hourglass.config.settings.Settings;
import hourglass.ingest.http.PushProtocol;
import hourglass.ingest.http.PushRefused;
import hourglass.ingest.http.PushRules;
import hourglass.ingest.protocols.elastic.ElasticBulk;
import hourglass.ingest.protocols.journal.JournalUpload;
import hourglass.ingest.protocols.loki.LokiPush;
import hourglass.ingest.protocols.otlp.Otlp;
import hourglass.ingest.protocols.splunk.SplunkCollector;
import io.vertx.core.Handler;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** The push protocols of other log stores that this process accepts. Immutable. */
record Protocols(List<PushProtocol> taken) {

  /** Creates the protocols that the settings name. */
  static Protocols of(Settings settings) {
    Map<String, Function<PushRules, PushProtocol>> all =
        Map.ofEntries(
            Map.entry(ElasticBulk.NAME, ElasticBulk::new),
            Map.entry(LokiPush.NAME, LokiPush::new),
            Map.entry(Otlp.NAME, rules -> new Otlp(rules, settings.otlpTraces())),
            Map.entry(SplunkCollector.NAME, SplunkCollector::new),
            Map.entry(JournalUpload.NAME, JournalUpload::new));
    return new Protocols(
        settings.protocols().entrySet().stream()
            .map(entry -> make(all, entry.getKey(), entry.getValue()))
            .toList());
  }

  private static PushProtocol make(
      Map<String, Function<PushRules, PushProtocol>> all, String name, PushRules rules) {
    return Objects.requireNonNull(all.get(name), name).apply(rules);
  }

  /**
   * Mounts handlers on the paths of each protocol, by which it answers refusals in a form that its
   * clients can read. Mount them before every handler that may refuse.
   */
  void mount(Router router) {
    router
        .route(Problem.TEXT_PATHS + "*")
        .handler(
            answering((of, status, detail) -> Problem.sendText(of.response(), status, detail)));
    for (int i = taken.size() - 1; i >= 0; i--) { // the last form counts, so the first protocol's
      PushProtocol protocol = taken.get(i);
      protocol.mountForm(
          router,
          answering((of, status, detail) -> protocol.refuse(of, new PushRefused(status, detail))));
    }
  }

  private static Handler<RoutingContext> answering(Problem.Form form) {
    return ctx -> {
      Problem.answerAs(ctx, form);
      ctx.next();
    };
  }
}
