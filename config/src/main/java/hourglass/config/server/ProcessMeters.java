package hourglass.config.server;

import hourglass.store.cassandra.driver.DriverMetrics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;

/** Registers the meters of the process and serves them at /metrics. Thread-safe. */
final class ProcessMeters implements AutoCloseable {
  /** The content type of Prometheus' text format. */
  private static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private static final Path STATUS = Path.of("/proc/self/status");

  private final PrometheusMeterRegistry registry;
  private final JvmGcMetrics gc = new JvmGcMetrics();

  ProcessMeters(Clock clock) {
    registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    registry.config().meterFilter(DriverMetrics.texts());
    bindProcess();
    gc.bindTo(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    Gauge.builder("hourglass.build.info", () -> 1)
        .description("always 1; the version is a label")
        .tag("version", Version.text())
        .register(registry);
    double startedSeconds = clock.millis() / 1e3;
    Gauge.builder("process.start.time.seconds", () -> startedSeconds)
        .description("start of the process, seconds since 1970")
        .register(registry);
  }

  MeterRegistry registry() {
    return registry;
  }

  void mount(Router router) {
    router.route("/metrics").method(HttpMethod.GET).method(HttpMethod.HEAD).handler(this::scrape);
  }

  @Override
  public void close() {
    gc.close();
    registry.close();
  }

  /** Returns all meters in the text format of Prometheus. */
  String text() {
    return registry.scrape(CONTENT_TYPE);
  }

  private void scrape(RoutingContext ctx) {
    ctx.vertx()
        .executeBlocking(this::text, false)
        .onSuccess(
            text -> ctx.response().putHeader(HttpHeaders.CONTENT_TYPE, CONTENT_TYPE).end(text))
        .onFailure(ctx::fail);
  }

  /**
   * Registers meters of the process under the names of the Prometheus client libraries, which
   * dashboards and alerts know.
   */
  private void bindProcess() {
    if (ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.OperatingSystemMXBean system) {
      FunctionCounter.builder("process.cpu.seconds", system, s -> s.getProcessCpuTime() / 1e9)
          .description("user and system time of the process")
          .register(registry);
    }
    if (Files.isReadable(STATUS)) {
      Gauge.builder("process.resident.memory.bytes", () -> statusBytes("VmRSS:"))
          .description("memory of the process that is in RAM")
          .register(registry);
      Gauge.builder("process.virtual.memory.bytes", () -> statusBytes("VmSize:"))
          .description("address space of the process")
          .register(registry);
    }
  }

  private static double statusBytes(String name) {
    try (var lines = Files.lines(STATUS)) {
      return lines
          .filter(line -> line.startsWith(name))
          .mapToDouble(line -> 1024 * Double.parseDouble(line.replaceAll("\\D+", "")))
          .findFirst()
          .orElse(Double.NaN);
    } catch (java.io.IOException e) {
      return Double.NaN;
    }
  }
}
