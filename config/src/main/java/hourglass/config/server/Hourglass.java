package hourglass.config.server;

import hourglass.access.Client;
import hourglass.access.FairExecutor;
import hourglass.access.Quotas;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.config.gate.ClientAddress;
import hourglass.config.gate.RepeatPace;
import hourglass.config.gate.RequestMemory;
import hourglass.config.gate.audit.AuditEvent;
import hourglass.config.gate.audit.AuditLog;
import hourglass.config.gate.audit.AuditOptions;
import hourglass.config.gate.auth.AccessGate;
import hourglass.config.gate.keys.KeyRing;
import hourglass.config.gate.keys.KeysFile;
import hourglass.config.gate.keys.KeysFileException;
import hourglass.config.gate.tls.PeerNames;
import hourglass.config.gate.tls.ServerTls;
import hourglass.config.gate.tls.TlsException;
import hourglass.config.gate.tls.TlsOptions;
import hourglass.config.settings.Role;
import hourglass.config.settings.Settings;
import hourglass.ingest.http.IngestRoutes;
import hourglass.ingest.kafka.KafkaOptions;
import hourglass.ingest.kafka.KafkaSource;
import hourglass.ingest.service.IngestService;
import hourglass.ingest.syslog.SyslogOptions;
import hourglass.ingest.syslog.SyslogServer;
import hourglass.query.http.QueryRoutes;
import hourglass.query.http.TailRoutes;
import hourglass.query.line.StreamLabels;
import hourglass.query.loki.http.LokiRoutes;
import hourglass.store.WideColumnStore;
import hourglass.store.rows.cache.RowCache;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Composition root, which creates the parts of one process and connects them. Thread-safe. */
public final class Hourglass implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(Hourglass.class);

  private final Parts parts = new Parts();
  private final Router router;
  private final String address;

  /**
   * Starts the roles, which serve when this returns. The wall clock may be set while the process
   * runs. Throws {@link StartException} if a part cannot start.
   */
  public static Hourglass start(Settings settings, Clock clock) {
    return new Hourglass(settings, clock);
  }

  private Hourglass(Settings settings, Clock clock) {
    try {
      Clock steady = steadyClock();
      ProcessMeters process = parts.add(new ProcessMeters(clock));
      MeterRegistry meters = process.registry();
      ServerTls tls = tls(settings.http().tls(), clock, meters); // read before the store is opened
      AuditLog audit = openAudit(settings.audit(), clock, meters);
      RequestAudit requests = null;
      WideColumnStore store = parts.add(Stores.open(settings.store(), clock, meters));
      RowCache cache = settings.plays(Role.QUERY) ? cache(settings.rowCacheBytes(), meters) : null;
      Workers workers = parts.add(Workers.start());
      Vertx vertx = parts.add(new VertxRuntime(meters)).vertx();
      router = Router.router(vertx);
      ProblemPages.mount(router);
      Protocols protocols =
          settings.plays(Role.INGEST) ? Protocols.of(settings) : new Protocols(List.of());
      protocols.mount(router);
      ClientAddress addresses = new ClientAddress(settings.http().trustedProxies());
      addresses.mount(router);
      if (audit != null) {
        requests = new RequestAudit(audit, settings.audit().exportBytes(), addresses);
        requests.mount(router);
      }
      DashboardFiles page = settings.plays(Role.DASHBOARD) ? new DashboardFiles() : null;
      Path keysFile = settings.keysFile();
      AccessGate gate = null;
      if (keysFile != null) {
        if (settings.http().isReadOnTheWay()) {
          logger.warn(
              "http.host = {} without TLS: keys and events can be read on the way; want"
                  + " http.tls.cert and http.tls.key, or a loopback address behind a proxy",
              settings.http().host());
        }
        KeyRing ring = parts.add(openKeys(keysFile, meters, audit));
        gate = new AccessGate(ring, clock, PeerNames::of, path -> page != null && page.has(path));
        gate.mount(router);
      } else {
        AccessGate.mountWithoutKeys(router);
      }
      new RepeatPace(AccessGate::clientOf, System::nanoTime).mount(router);
      process.mount(router);
      Quotas quotas =
          new Quotas(settings.limits(), System::nanoTime, limit -> refusedBy(limit, meters));
      Function<RoutingContext, Client> clients = ctx -> AccessGate.clientOf(ctx).within(quotas);
      KafkaSource kafka = null;
      SyslogServer syslog = null;
      if (settings.plays(Role.INGEST)) {
        TimeUuidGenerator names = new TimeUuidGenerator(clock);
        IngestService ingest =
            new IngestService(
                store,
                settings.shards(),
                settings.planner(),
                names,
                settings.ingest(),
                workers.ingest(),
                meters);
        new IngestRoutes(
                ingest, settings.pushRules(), protocols.taken(), workers.ingest(), meters, clients)
            .mount(router);
        KafkaOptions topics = settings.kafka();
        if (topics != null) {
          kafka = parts.add(KafkaSource.start(topics, ingest, meters));
        }
        if (!settings.syslog().listen().isEmpty()) {
          SyslogClients senders = new SyslogClients(gate, settings.syslogKey(), quotas);
          if (gate != null && !settings.syslogKey().isEmpty() && senders.of("") == null) {
            logger.warn(
                "syslog.key = {}: keys.file has no such key with the scope ingest, so senders without"
                    + " a certificate are refused",
                settings.syslogKey());
          }
          syslog =
              parts.add(
                  listen(vertx, settings.syslog(), ingest, workers, clock, senders, tls, meters));
        }
      }
      TailRoutes tails = null;
      if (settings.plays(Role.QUERY)) {
        FairExecutor threads = workers.query();
        QueryRoutes queries =
            new QueryRoutes(
                store, settings.query(), clock, steady, meters, threads, cache, clients);
        queries.mount(router);
        tails =
            new TailRoutes(
                queries,
                store,
                settings.query(),
                settings.tails(),
                steady,
                meters,
                threads,
                clients);
        tails.mount(router);
        StreamLabels labels = new StreamLabels(settings.lokiLabels());
        new LokiRoutes(queries.runner(), tails, labels, clock).mount(router);
      }
      new HealthRoutes(store, kafka).mount(router);
      if (page != null) {
        page.mount(router);
      }
      HttpListener listener =
          parts.add(
              HttpListener.listen(
                  vertx,
                  settings.http(),
                  tls,
                  router,
                  RequestMemory.ofHeap(),
                  requests == null ? (request, why) -> {} : requests::refused));
      address = listener.address();
      if (audit != null) {
        audit.add(AuditEvent.of("start").with("listens", address).with("version", Version.text()));
      }
      if (syslog != null) {
        parts.add(syslog::stop); // so that it reads no more while the listener ends
      }
      if (tails != null) {
        parts.add(tails); // ends first, since the listener waits for requests under way
      }
      parts.add(QuietHeap.start());
      ClassArchive archive = ClassArchive.start(() -> isUsed(meters));
      if (archive != null) {
        parts.add(archive);
      }
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Opens the audit file. Returns null if no file is configured. */
  private @Nullable AuditLog openAudit(AuditOptions options, Clock clock, MeterRegistry meters) {
    Path file = options.file();
    try {
      return file == null ? null : parts.add(AuditLog.open(file, options, clock, meters));
    } catch (IOException e) {
      throw new StartException(
          "audit.file = %s: cannot be written: %s; want a file in a folder of the user of this process"
              .formatted(file, e),
          e);
    }
  }

  private static SyslogServer listen(
      Vertx vertx,
      SyslogOptions options,
      IngestService ingest,
      Workers workers,
      Clock clock,
      SyslogClients senders,
      @Nullable ServerTls tls,
      MeterRegistry meters) {
    SyslogCertificates certificates = tls == null ? null : new SyslogCertificates(tls);
    try {
      return SyslogServer.start(
          vertx, options, ingest, workers.ingest(), clock, senders, certificates, meters);
    } catch (IOException e) {
      throw new StartException(
          "syslog.listen: cannot listen on %s; stop what uses it, or choose another port (0: any free one)"
              .formatted(e.getMessage()),
          e);
    }
  }

  private static KeyRing openKeys(Path file, MeterRegistry meters, @Nullable AuditLog audit) {
    try {
      KeyRing.Listener listener = audit == null ? (before, after) -> {} : new KeysAudit(audit);
      return KeyRing.open(new KeysFile(file), meters, listener);
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

  /**
   * Returns whether the process has accepted or rejected events. A process that does not ingest
   * counts as used from its start.
   */
  private static boolean isUsed(MeterRegistry meters) {
    Collection<Counter> events = meters.find("hourglass.ingest.events").counters();
    return events.isEmpty() || events.stream().anyMatch(verdict -> verdict.count() > 0);
  }

  private @Nullable ServerTls tls(@Nullable TlsOptions options, Clock clock, MeterRegistry meters) {
    try {
      return options == null ? null : parts.add(ServerTls.read(options, clock, meters));
    } catch (TlsException e) {
      throw new StartException("http.tls: " + e.getMessage(), e);
    }
  }

  private @Nullable RowCache cache(long bytes, MeterRegistry meters) {
    return bytes == 0 ? null : parts.add(new RowCache(bytes, meters));
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

  /**
   * Creates a clock that measures durations. It is unrelated to the time of day and never set back.
   */
  private static Clock steadyClock() {
    long startNanos = System.nanoTime();
    InstantSource steady = () -> Instant.EPOCH.plusNanos(System.nanoTime() - startNanos);
    return steady.withZone(ZoneOffset.UTC);
  }
}
