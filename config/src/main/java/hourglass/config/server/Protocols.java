package hourglass.config.server;

import hourglass.config.http.Problem;
import hourglass.ingest.http.ProtocolRules;
import hourglass.ingest.http.PushProtocol;
import hourglass.ingest.http.PushRefused;
import hourglass.ingest.protocols.elastic.ElasticBulk;
import hourglass.ingest.protocols.journal.JournalUpload;
import hourglass.ingest.protocols.loki.LokiPush;
import hourglass.ingest.protocols.splunk.SplunkCollector;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** The protocols of other logs that this process takes. Immutable. */
record Protocols(List<PushProtocol> taken) {
  private static final Map<String, Function<ProtocolRules, PushProtocol>> ALL =
      Map.ofEntries(
          Map.entry(ElasticBulk.NAME, ElasticBulk::new),
          Map.entry(LokiPush.NAME, LokiPush::new),
          Map.entry(SplunkCollector.NAME, SplunkCollector::new),
          Map.entry(JournalUpload.NAME, JournalUpload::new));

  /** Of the settings, by name. */
  static Protocols of(Map<String, ProtocolRules> rules) {
    return new Protocols(
        rules.entrySet().stream().map(entry -> make(entry.getKey(), entry.getValue())).toList());
  }

  private static PushProtocol make(String name, ProtocolRules rules) {
    return Objects.requireNonNull(ALL.get(name), name).apply(rules);
  }

  /** Lets their clients read refusals. Before every handler that may refuse. */
  void mount(Router router) {
    if (!taken.isEmpty()) {
      router.route().handler(this::prepare);
    }
  }

  private void prepare(RoutingContext ctx) {
    String path = ctx.normalizedPath();
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
