package hourglass.load.canary;

import hourglass.command.FigureText;
import hourglass.command.ProgressLine;
import hourglass.load.command.LoadLimits;
import hourglass.load.command.Nanos;
import hourglass.load.command.ReportLines;
import hourglass.load.send.Counts;
import hourglass.load.send.RunReport;
import hourglass.load.verify.Faults;
import hourglass.load.verify.Faults.Kind;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;

/**
 * The counters of a canary, as figures and metrics, with texts of faults and errors. Only a few
 * texts of each kind are logged each hour, since a run may last days; the first few are kept.
 * Thread-safe.
 */
final class CanaryTally {
  private static final String PREFIX = "hourglass.canary.";
  private static final long QUOTA_NANOS = TimeUnit.HOURS.toNanos(1);

  private static final class Logged {
    private final List<String> first = new ArrayList<>();
    private long sinceNanos;
    private int count;
  }

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
      figures.put(figure, () -> RunReport.latencies(micros()));
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

  private final Map<String, Logged> logged = new LinkedHashMap<>();
  private final ProgressLine progress;
  private final Nanos nanos;

  final LongAdder sent = events("sent", "Events sent.");
  final LongAdder acknowledged = events("acknowledged", "Events acknowledged.");
  final LongAdder unacknowledged =
      events("unacknowledged", "Events given up without an acknowledgement.");
  final LongAdder unacknowledgedPresent = unacknowledgedChecked("present", "true");
  final LongAdder unacknowledgedAbsent = unacknowledgedChecked("absent", "false");
  final LongAdder missed =
      counter("turns_missed", "missed", "Turns of the schedule skipped, far too late.");
  final LongAdder retried = counter("retries", "retried", "Pushes of an event beyond its first.");
  final Counts pushErrors =
      byKind("push_errors", "push.errors", "Pushes without an acknowledgement.");
  final LongAdder checked = events("checked", "Acknowledged events that a check looked for.");
  final LongAdder unchecked = events("unchecked", "Events that no check could look for.");
  final LongAdder lost = events("lost", "Acknowledged events missing from a complete answer.");
  final LongAdder duplicated = events("duplicated", "Events there more than once.");
  final LongAdder outOfOrder =
      counter("events_out_of_order", "out.of.order", "Events before an earlier one.");
  final LongAdder changed = events("changed", "Events with other bytes or times than sent.");
  final LongAdder foreign = events("foreign", "Events of the type that no canary sent.");
  final Counts readsFailed =
      byKind("reads_failed", "reads.failed", "Queries without a complete answer.");

  final Delays push =
      new Delays("push_ms", "push", "From the intended sending to the acknowledgement.");
  final Delays visibleSinceAcknowledged = visible("acknowledged");

  /** The delays from the intended time of sending to the first answer that contains the event. */
  final Delays visibleSinceDue = visible("due");

  CanaryTally(ProgressLine progress, Nanos nanos) {
    this.progress = progress;
    this.nanos = nanos;
  }

  private LongAdder events(String name, String help) {
    return counter("events_" + name, name, help);
  }

  private LongAdder unacknowledgedChecked(String name, String found) {
    String help = "Unacknowledged events that a check looked for.";
    return counter("events_unacknowledged_" + name, "unacknowledged.checked", help, "found", found);
  }

  private LongAdder counter(String figure, String metric, String help, String... tags) {
    LongAdder count = new LongAdder();
    figures.put(figure, count::sum);
    register(metric, help, count, tags);
    return count;
  }

  private Counts byKind(String figure, String metric, String help) {
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

  private Delays visible(String since) {
    String help = "Until an answer showed the event.";
    return new Delays("visible_since_" + since + "_ms", "visible", help, "since", since);
  }

  void gauge(String name, String help, Supplier<Number> value) {
    Gauge.builder(PREFIX + name, value).description(help).register(registry);
  }

  /** Returns the metrics in the text format of Prometheus. */
  String metrics() {
    return registry.scrape();
  }

  void pushFailed(String kind, String text) {
    pushErrors.add(kind, 1);
    log("push " + kind, text);
  }

  void readFailed(String kind, String text) {
    readsFailed.add(kind, 1);
    log("read " + kind, text);
  }

  void add(Faults faults) {
    lost.add(faults.count(Kind.LOST));
    duplicated.add(faults.count(Kind.DOUBLED));
    outOfOrder.add(faults.count(Kind.ORDER));
    changed.add(faults.count(Kind.ALTERED));
    foreign.add(faults.count(Kind.FOREIGN));
    faults
        .counts()
        .keySet()
        .forEach(kind -> faults.shown(kind).forEach(text -> log(kind.label, text)));
  }

  synchronized void log(String kind, String text) {
    if (!logged.containsKey(kind) && logged.size() >= LoadLimits.KINDS_MAX) {
      return;
    }
    Logged before = logged.computeIfAbsent(kind, any -> new Logged());
    if (before.first.size() < LoadLimits.FAULTS_SHOWN) {
      before.first.add(text);
    }
    if (before.count == 0 || nanos.now() - before.sinceNanos >= QUOTA_NANOS) {
      before.sinceNanos = nanos.now();
      before.count = 0;
    }
    if (before.count < LoadLimits.FAULTS_SHOWN) {
      before.count++;
      progress.say("canary: %s: %s".formatted(kind, text));
    }
  }

  synchronized Map<String, List<String>> firstTexts() {
    Map<String, List<String>> copy = new LinkedHashMap<>();
    logged.forEach((kind, of) -> copy.put(kind, List.copyOf(of.first)));
    return copy;
  }

  long faults() {
    return lost.sum() + duplicated.sum() + outOfOrder.sum() + changed.sum();
  }

  /** Returns whether events were acknowledged, and all of them are stored as sent. */
  boolean passed() {
    return faults() == 0 && unchecked.sum() == 0 && acknowledged.sum() > 0;
  }

  /** Returns all figures. {@code seconds} is the time of sending. */
  JsonObject figures(double seconds) {
    JsonObject all = new JsonObject().put("passed", passed()).put("seconds", seconds);
    figures.forEach((name, value) -> all.put(name, value.get()));
    all.put("first_notes", firstTexts());
    return all;
  }

  String text(double seconds) {
    ReportLines lines = new ReportLines();
    lines.add(
        "events",
        "%,d sent in %,.1f s, %,d acknowledged, %,d not, %,d turns missed",
        sent.sum(),
        seconds,
        acknowledged.sum(),
        unacknowledged.sum(),
        missed.sum());
    if (unacknowledged.sum() > 0) {
      lines.add(
          "",
          "of those not acknowledged %,d are there, %,d are not",
          unacknowledgedPresent.sum(),
          unacknowledgedAbsent.sum());
    }
    lines.add("push", "%s", delays(push, "from the intended time of sending"));
    lines.add("visible", "%s", delays(visibleSinceAcknowledged, "from the acknowledgement"));
    lines.add("", "%s", delays(visibleSinceDue, "from the intended time of sending"));
    lines.add("errors", "%s", RunReport.kinds(pushErrors));
    lines.add("retries", "%,d", retried.sum());
    lines.add("reads", "failed: %s", RunReport.kinds(readsFailed));
    lines.add(
        passed() ? "checked" : "WRONG",
        "%,d acknowledged events: %,d lost, %,d duplicated, %,d out of order, %,d changed",
        checked.sum(),
        lost.sum(),
        duplicated.sum(),
        outOfOrder.sum(),
        changed.sum());
    if (acknowledged.sum() == 0) {
      lines.add("", "nothing was acknowledged, so there was nothing to check");
    }
    if (unchecked.sum() > 0) {
      lines.add("", "%,d events could not be checked", unchecked.sum());
    }
    if (foreign.sum() > 0) {
      lines.add("", "%,d events of the type are of no canary", foreign.sum());
    }
    firstTexts()
        .forEach((kind, texts) -> texts.forEach(text -> lines.add("", "%s: %s", kind, text)));
    return lines.toString();
  }

  private static String delays(Delays delays, String from) {
    return RunReport.latencyLine(delays.micros()) + from;
  }

  String line(double oldestUnseenSeconds) {
    return FigureText.format(
        "canary: %,d acknowledged of %,d, p99 %.1f ms, visible p99 %.1f ms, oldest unseen %.1f s,"
            + " %,d checked, %,d faults, errors %,d, retries %,d, reads failed %,d",
        acknowledged.sum(),
        sent.sum(),
        push.micros().getValueAtPercentile(99) / 1e3,
        visibleSinceAcknowledged.micros().getValueAtPercentile(99) / 1e3,
        oldestUnseenSeconds,
        checked.sum(),
        faults(),
        pushErrors.total(),
        retried.sum(),
        readsFailed.total());
  }
}
