package hourglass.config.gate.tls;

import hourglass.access.DaemonThreads;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.ServerSSLOptions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS of a server, whose files may change while it serves. Existing connections keep the files
 * with which they began; new ones use the new files. If the files do not fit together, the last
 * good ones stay in force. Thread-safe.
 *
 * <p>The files are read twice a second and compared as a whole. Notifications of the file system
 * would miss changes by Kubernetes, which exchanges a symbolic link of a folder further up.
 */
public final class ServerTls implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(ServerTls.class);

  private static final Duration LOOK = Duration.ofMillis(500);

  /**
   * The time before the end of a certificate at which a warning is logged. Certificates are mostly
   * renewed a month before their end.
   */
  private static final Duration SOON = Duration.ofDays(14);

  private static final long APPLY_SECONDS = 10;

  private final TlsOptions options;
  private final Clock clock;
  private final Counter taken;
  private final Counter refused;
  private final Handshakes handshakes;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(new DaemonThreads("hourglass-tls"));

  /** The servers, each of which uses changed files for its new connections. */
  private final List<Function<ServerSSLOptions, Future<Boolean>>> servers =
      new CopyOnWriteArrayList<>();

  private volatile ServerIdentity identity;

  // Used by the watching thread only:
  /**
   * The problem found at the last check, or null. It may be a pair of files of which one is not
   * written yet.
   */
  private @Nullable String suspicion;

  /** The problem that was refused and has been logged, or null. */
  private @Nullable String told;

  /** The class of the unexpected exception of the last check, or null. */
  private @Nullable String failure;

  /** Reads the files. Throws {@link TlsException} if they cannot be used. */
  public static ServerTls read(TlsOptions options, Clock clock, MeterRegistry meters)
      throws TlsException {
    ServerIdentity identity = ServerIdentity.of(ServerIdentity.Files.read(options));
    ServerTls tls = new ServerTls(options, identity, clock, meters);
    String wrong = tls.wrongTime(identity);
    if (wrong != null) {
      logger.warn("{}; clients will refuse it until it is replaced", wrong);
    } else {
      tls.warnSoon(identity);
    }
    return tls;
  }

  private ServerTls(
      TlsOptions options, ServerIdentity identity, Clock clock, MeterRegistry meters) {
    this.options = options;
    this.identity = identity;
    this.clock = clock;
    taken = reloads(meters, "taken");
    refused = reloads(meters, "refused");
    handshakes = new Handshakes(meters);
    Gauge.builder("hourglass.http.tls.certificate.expiry", this, ServerTls::secondsLeft)
        .description("time until the server's certificate expires; negative behind that")
        .baseUnit("seconds")
        .register(meters);
  }

  private static Counter reloads(MeterRegistry meters, String outcome) {
    return Counter.builder("hourglass.http.tls.reload")
        .description("changes of the files of TLS, by outcome; refused ones left the old in force")
        .tag("outcome", outcome)
        .register(meters);
  }

  private double secondsLeft() {
    return Duration.between(clock.instant(), identity.end()).toMillis() / 1e3;
  }

  /** Adds TLS to a server. One of HTTP negotiates its version. */
  public void addTo(NetServerOptions server) {
    server.setSsl(true).setUseAlpn(server instanceof HttpServerOptions);
    identity.addTo(server.getSslOptions(), options.clients());
  }

  /** Returns a handler for failures before the first request of a connection. */
  public Consumer<Throwable> handshakes() {
    return handshakes;
  }

  /** Passes changes of the files to a server, which must be listening. */
  public void watch(HttpServer server) {
    watch(changed -> server.updateSSLOptions(changed, true));
  }

  /** Passes changes of the files to a server of another protocol than HTTP. */
  public void watch(NetServer server) {
    watch(changed -> server.updateSSLOptions(changed, true));
  }

  private synchronized void watch(Function<ServerSSLOptions, Future<Boolean>> server) {
    servers.add(server);
    if (servers.size() == 1) {
      var unused =
          thread.scheduleWithFixedDelay(
              () -> lookAndStay(this::apply),
              LOOK.toMillis(),
              LOOK.toMillis(),
              TimeUnit.MILLISECONDS);
    }
  }

  void lookAndStay(Change change) {
    try {
      look(change);
      failure = null;
    } catch (Throwable e) { // a task that throws would not run again
      String what = e.getClass().getName();
      if (!what.equals(failure)) {
        failure = what;
        logger.error("looking at {} failed", identity.files(), e);
      }
    }
  }

  private void apply(ServerIdentity changed) throws TlsException {
    try {
      for (Function<ServerSSLOptions, Future<Boolean>> server : servers) {
        server
            .apply(changed.addTo(new ServerSSLOptions(), options.clients()))
            .await(APPLY_SECONDS, TimeUnit.SECONDS);
      }
    } catch (Exception e) { // await may throw exceptions that it does not declare
      throw new TlsException(changed.files() + ": cannot be used: " + e, e);
    }
  }

  /** Makes new connections use changed files. */
  interface Change {
    void apply(ServerIdentity identity) throws TlsException;
  }

  /** Checks the files for a change. Returns whether a change was applied. */
  boolean look(Change change) {
    try {
      ServerIdentity.Files files = ServerIdentity.Files.read(options);
      if (files.equals(identity.files())) {
        suspicion = null;
        told = null;
        return false;
      }
      ServerIdentity changed = ServerIdentity.of(files);
      String wrong = wrongTime(changed);
      if (wrong != null) {
        throw new TlsException(wrong, null);
      }
      change.apply(changed);
      take(changed);
      return true;
    } catch (TlsException e) {
      suspect(String.valueOf(e.getMessage()));
      return false;
    }
  }

  private void take(ServerIdentity changed) {
    identity = changed;
    suspicion = null;
    told = null;
    taken.increment();
    logger.info("{}: taken, valid until {}", changed.files(), changed.end());
    warnSoon(changed);
  }

  /**
   * Logs a problem that two checks in a row have found. A problem that has disappeared at the next
   * check was a pair of files that was being written.
   */
  private void suspect(String why) {
    if (why.equals(suspicion) && !why.equals(told)) {
      told = why;
      refused.increment();
      logger.warn("{}; the certificate until {} stays in force", why, identity.end());
    }
    suspicion = why;
  }

  private @Nullable String wrongTime(ServerIdentity of) {
    Instant now = clock.instant();
    if (now.isAfter(of.end())) {
      return "%s: expired at %s".formatted(of.files().cert(), of.end());
    }
    return now.isBefore(of.begin())
        ? "%s: not valid before %s, by the clock of this machine"
            .formatted(of.files().cert(), of.begin())
        : null;
  }

  private void warnSoon(ServerIdentity of) {
    if (clock.instant().plus(SOON).isAfter(of.end())) {
      logger.warn(
          "{}: expires at {}; replace it, no restart is needed", of.files().cert(), of.end());
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
