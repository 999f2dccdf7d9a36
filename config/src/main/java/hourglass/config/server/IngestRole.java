package hourglass.config.server;

import hourglass.bucketing.TimeUuidGenerator;
import hourglass.config.gate.tls.ServerTls;
import hourglass.config.settings.Settings;
import hourglass.ingest.http.IngestRoutes;
import hourglass.ingest.kafka.KafkaOptions;
import hourglass.ingest.kafka.KafkaSource;
import hourglass.ingest.service.IngestService;
import hourglass.ingest.syslog.SyslogServer;
import hourglass.ingest.syslog.SyslogTls;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The role that stores events, from HTTP, topics and syslog.
 *
 * @param kafka null if no topics are consumed
 * @param syslog null if syslog has no port
 */
record IngestRole(@Nullable KafkaSource kafka, @Nullable SyslogServer syslog) {
  private static final Logger logger = LoggerFactory.getLogger(IngestRole.class);

  /** Mounts the routes and starts the sources. Throws {@link StartException} if one cannot. */
  static IngestRole start(Foundation on, Gate gate) {
    Settings settings = on.settings();
    IngestService service =
        new IngestService(
            on.store(),
            settings.shards(),
            settings.planner(),
            new TimeUuidGenerator(on.clock()),
            settings.ingest(),
            on.workers().ingest(),
            on.meters());
    new IngestRoutes(
            service,
            settings.pushRules(),
            gate.protocols().taken(),
            on.workers().ingest(),
            on.meters(),
            gate::clientOf)
        .mount(on.router());
    KafkaOptions topics = settings.kafka();
    KafkaSource kafka =
        topics == null ? null : on.parts().add(KafkaSource.start(topics, service, on.meters()));
    boolean listens = !settings.syslog().listen().isEmpty();
    return new IngestRole(kafka, listens ? on.parts().add(listen(on, gate, service)) : null);
  }

  private static SyslogServer listen(Foundation on, Gate gate, IngestService service) {
    String key = on.settings().syslogKey();
    SyslogClients senders = new SyslogClients(gate.access(), key, gate.quotas());
    if (gate.access() != null && !key.isEmpty() && senders.of("") == null) {
      logger.warn(
          "syslog.key = {}: keys.file has no such key with the scope ingest, so senders without"
              + " a certificate are refused",
          key);
    }
    try {
      return SyslogServer.start(
          on.vertx(),
          on.settings().syslog(),
          service,
          on.workers().ingest(),
          on.clock(),
          senders,
          on.tls() == null ? null : new SyslogCertificates(on.tls()),
          on.meters());
    } catch (IOException e) {
      throw new StartException(
          "syslog.listen: cannot listen on %s; stop what uses it, or choose another port (0: any free one)"
              .formatted(e.getMessage()),
          e);
    }
  }

  /** Lets syslog use the certificates of the HTTP listener. */
  private record SyslogCertificates(ServerTls tls) implements SyslogTls {
    @Override
    public void addTo(NetServerOptions options) {
      tls.addTo(options);
    }

    @Override
    public void watch(NetServer server) {
      tls.watch(server);
    }

    @Override
    public void failed(Throwable failure) {
      tls.handshakes().accept(failure);
    }
  }
}
