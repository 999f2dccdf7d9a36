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
 * TLS of a server, whose files may change while it serves. Connections go on with what they began
 * with; new ones get the new files. Files that do not fit together leave the last good ones in
 * force. Thread-safe.
 *
 * <p>The files are read twice a second and compared as a whole. Notices of the file system would
 * miss what Kubernetes does: it exchanges a symbolic link of a folder further up.
 */
public final class ServerTls implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(ServerTls.class);

  private static final Duration LOOK = Duration.ofMillis(500);

  /** A warning in time; certificates are mostly renewed a month before their end. */
  private static final Duration SOON = Duration.ofDays(14);

  private static final long APPLY_SECONDS = 10;

  private final TlsOptions options;
  private final Clock clock;
  private final Counter taken;
  private final Counter refused;
  private final Handshakes handshakes;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(new DaemonThreads("hourglass-tls"));

  /** Each takes changed files for its new connections. */
  private final List<Function<ServerSSLOptions, Future<Boolean>>> servers =
      new CopyOnWriteArrayList<>();

  private volatile ServerIdentity identity;

  // Of the watching thread:
  /** What was wrong at the last look; it may be a pair of which one file is not written yet. */
  private @Nullable String suspicion;

  /** What was refused, and is logged already. */
  private @Nullable String told;

  /** What was not foreseen, at the last look. */
  private @Nullable String failure;

  /** Reads the files; {@link TlsException} where they cannot be used. */
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

  public void addTo(HttpServerOptions server) {
    server.setSslEngineOptions(new AlpnEngine());
    addTo((NetServerOptions) server);
  }

  /** For another protocol than HTTP. */
  public void addTo(NetServerOptions server) {
    server.setSsl(true).setUseAlpn(false);
    identity.addTo(server.getSslOptions(), options.clients());
  }

  /** Takes what goes wrong before a connection has its first request. */
  public Consumer<Throwable> handshakes() {
    return handshakes;
  }

  /** From now on, changes of the files are given to the server, which listens. */
  public void watch(HttpServer server) {
    watch(changed -> server.updateSSLOptions(changed, true));
  }

  /** As for a server of HTTP. */
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
    } catch (Throwable e) { // a task that throws is never run again
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
    } catch (Exception e) { // also what it throws undeclared
      throw new TlsException(changed.files() + ": cannot be used: " + e, e);
    }
  }

  /** Makes new connections use other files. */
  interface Change {
    void apply(ServerIdentity identity) throws TlsException;
  }

  /** Returns whether a change was taken. */
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

  /** A failure that is gone at the next look was a pair that was being written. */
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
