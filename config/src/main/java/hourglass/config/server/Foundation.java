package hourglass.config.server;

import hourglass.config.gate.audit.AuditLog;
import hourglass.config.gate.audit.AuditOptions;
import hourglass.config.gate.tls.ServerTls;
import hourglass.config.gate.tls.TlsException;
import hourglass.config.gate.tls.TlsOptions;
import hourglass.config.settings.Role;
import hourglass.config.settings.Settings;
import hourglass.store.erasure.ErasableStore;
import hourglass.store.erasure.ErasingStore;
import hourglass.store.rows.cache.RowCache;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import io.vertx.ext.web.Router;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * The parts that all roles of a process use.
 *
 * @param parts closes all parts of the process
 * @param tls null if the ports are not encrypted
 * @param audit null if no audit file is configured
 * @param engine the store without what hides erased events
 * @param store that of all roles; caches of rows are above it
 * @param rowCache null without the role query, or if the cache is off
 */
record Foundation(
    Settings settings,
    Clock clock,
    Parts parts,
    ProcessMeters process,
    ServerLog log,
    @Nullable ServerTls tls,
    @Nullable AuditLog audit,
    ErasableStore engine,
    ErasingStore store,
    DropReport drops,
    @Nullable RowCache rowCache,
    Workers workers,
    VertxRuntime runtime,
    Router router) {

  /** Starts the parts. Throws {@link StartException} if one of them cannot start. */
  static Foundation start(Settings settings, Clock clock, Parts parts) {
    ServerLog log = parts.add(ServerLog.start(settings.logFormat()));
    ProcessMeters process = parts.add(new ProcessMeters(clock));
    MeterRegistry meters = process.registry();
    ServerTls tls = tls(settings.http().tls(), clock, meters, parts); // read before the store opens
    AuditLog audit = audit(settings.audit(), clock, meters, parts);
    DropReport drops = DropReport.of(meters, audit);
    ErasableStore engine =
        parts.add(Stores.open(settings.store(), clock, meters, drops::droppedForBudget));
    boolean caches = settings.plays(Role.QUERY) && settings.rowCacheBytes() > 0;
    RowCache cache = caches ? parts.add(new RowCache(settings.rowCacheBytes(), meters)) : null;
    Workers workers = parts.add(Workers.start());
    VertxRuntime runtime = parts.add(new VertxRuntime(meters));
    return new Foundation(
        settings,
        clock,
        parts,
        process,
        log,
        tls,
        audit,
        engine,
        erasing(engine, meters),
        drops,
        cache,
        workers,
        runtime,
        Router.router(runtime.vertx()));
  }

  private static ErasingStore erasing(ErasableStore engine, MeterRegistry meters) {
    ErasingStore erasing = ErasingStore.over(engine);
    FunctionCounter.builder("hourglass.erasure.repeats", erasing, ErasingStore::repeats)
        .description("Repeats of erased events, which were accepted and not stored")
        .register(meters);
    return erasing;
  }

  private static @Nullable ServerTls tls(
      @Nullable TlsOptions options, Clock clock, MeterRegistry meters, Parts parts) {
    try {
      return options == null ? null : parts.add(ServerTls.read(options, clock, meters));
    } catch (TlsException e) {
      throw new StartException("http.tls: " + e.getMessage(), e);
    }
  }

  private static @Nullable AuditLog audit(
      AuditOptions options, Clock clock, MeterRegistry meters, Parts parts) {
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

  Vertx vertx() {
    return runtime.vertx();
  }

  MeterRegistry meters() {
    return process.registry();
  }
}
