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
   * Mounts a handler by which each protocol answers refusals in a form that its clients can read.
   * Mount it before every handler that may refuse.
   */
  void mount(Router router) {
    router.route().handler(this::prepare);
  }

  private void prepare(RoutingContext ctx) {
    String path = ctx.normalizedPath();
    if (path.startsWith(Problem.TEXT_PATHS)) {
      Problem.answerAs(
          ctx, (of, status, detail) -> Problem.sendText(of.response(), status, detail));
    }
    for (PushProtocol protocol : taken) {
      if (protocol.owns(path)) {
        Problem.answerAs(
            ctx, (of, status, detail) -> protocol.refuse(of, new PushRefused(status, detail)));
        break;
      }
    }
    ctx.next();
  }
}
