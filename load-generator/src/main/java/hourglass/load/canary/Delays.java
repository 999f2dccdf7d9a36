package hourglass.load.canary;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;

/** Delays in bounded memory. Thread-safe. */
final class Delays {
  private static final long MICROS_MAX = TimeUnit.DAYS.toMicros(7);

  /** Buckets, since a quantile of a run of days would no longer move. */
  private static final Duration[] BUCKETS =
      DoubleStream.of(.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300)
          .mapToObj(seconds -> Duration.ofNanos(Math.round(seconds * 1e9)))
          .toArray(Duration[]::new);

  private final Histogram micros = new SynchronizedHistogram(MICROS_MAX, 3);
  private final Timer timer;

  Delays(MeterRegistry registry, String name, String help, Tags tags) {
    timer =
        Timer.builder(name)
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

  /** A copy, in microseconds. */
  Histogram micros() {
    return micros.copy();
  }
}
