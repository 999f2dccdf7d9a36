package hourglass.load.canary;

import hourglass.load.send.Counts;
import hourglass.load.send.Latencies;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;

/** Creates counters that are figures of a report and metrics of Prometheus at once. */
final class CanaryMeters {
  private static final String PREFIX = "hourglass.canary.";

  /** A histogram of delays in bounded memory. Thread-safe. */
  final class Delays {
    private static final long MICROS_MAX = TimeUnit.DAYS.toMicros(7);

    /** The buckets of the metric. A quantile over a run of days would hardly change any more. */
    private static final Duration[] BUCKETS =
        DoubleStream.of(.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300)
            .mapToObj(seconds -> Duration.ofNanos(Math.round(seconds * 1e9)))
            .toArray(Duration[]::new);

    private final Histogram micros = new SynchronizedHistogram(MICROS_MAX, 3);
    private final Timer timer;

    private Delays(String figure, String metric, String help, String... tags) {
      figures.put(figure, () -> Latencies.figures(micros()));
      timer =
          Timer.builder(PREFIX + metric)
              .description(help)
              .tags(tags)
              .serviceLevelObjectives(BUCKETS)
              .register(registry);
    }

    void record(long nanos) {
      long atLeastZero = Math.max(0, nanos);
      timer.record(atLeastZero, TimeUnit.NANOSECONDS);
      micros.recordValue(Math.min(MICROS_MAX, atLeastZero / 1_000));
    }

    /** Returns a copy, in microseconds. */
    Histogram micros() {
      return micros.copy();
    }
  }

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  /** The figures in the order of the report. */
  private final Map<String, Supplier<Object>> figures = new LinkedHashMap<>();

  LongAdder events(String name, String help) {
    return counter("events_" + name, name, help);
  }

  LongAdder counter(String figure, String metric, String help, String... tags) {
    LongAdder count = new LongAdder();
    figures.put(figure, count::sum);
    register(metric, help, count, tags);
    return count;
  }

  Counts byKind(String figure, String metric, String help) {
    Counts counts = new Counts((kind, count) -> register(metric, help, count, "why", kind));
    figures.put(figure, counts::byKind);
    return counts;
  }

  private void register(String metric, String help, LongAdder count, String... tags) {
    FunctionCounter.builder(PREFIX + metric, count, LongAdder::sum)
        .description(help)
        .tags(tags)
        .register(registry);
  }

  Delays delays(String figure, String metric, String help, String... tags) {
    return new Delays(figure, metric, help, tags);
  }

  void gauge(String name, String help, Supplier<Number> value) {
    Gauge.builder(PREFIX + name, value).description(help).register(registry);
  }

  /** Returns the metrics in the text format of Prometheus. */
  String metrics() {
    return registry.scrape();
  }

  void addTo(JsonObject all) {
    figures.forEach((name, value) -> all.put(name, value.get()));
  }
}
