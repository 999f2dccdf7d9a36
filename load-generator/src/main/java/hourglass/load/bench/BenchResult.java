package hourglass.load.bench;

import hourglass.bucketing.Hour;
import hourglass.load.client.ServerMetrics;
import hourglass.load.send.RunReport;
import hourglass.load.verify.Verification;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

final class BenchResult {
  record HourRun(Hour hour, RunReport report) {}

  /** The runs, of which the first one warms up. */
  final List<HourRun> runs = new ArrayList<>();

  final List<BenchQuery.Timing> queries = new ArrayList<>();
  final List<Verification> verifications = new ArrayList<>();

  /** Whether a signal stopped the benchmark, so that something was not measured. */
  volatile boolean stopped;

  /** Stops the benchmark at a signal. A second one ends the process. */
  void stop() {
    if (stopped) {
      Runtime.getRuntime().halt(1);
    }
    stopped = true;
  }

  /** The metrics after the queries; null before. */
  @Nullable ServerMetrics afterQueries;

  boolean passed() {
    return !stopped
        && runs.stream().map(HourRun::report).allMatch(BenchResult::passed)
        && verifications.stream().allMatch(Verification::passed);
  }

  private static boolean passed(RunReport run) {
    return run.complete() && run.tally().rejected.sum() == 0;
  }

  private long accepted() {
    return runs.stream().mapToLong(run -> run.report.accepted()).sum();
  }

  private ServerMetrics afterRuns() {
    return runs.get(runs.size() - 1).report.after();
  }

  private @Nullable Double diskBytesPerEvent() {
    Double from = runs.get(0).report.before().diskBytes();
    Double to = afterRuns().diskBytes();
    return from == null || to == null || accepted() == 0 ? null : (to - from) / accepted();
  }

  JsonObject figures() {
    return new JsonObject()
        .put("hours", runs.stream().map(this::figures).toList())
        .put("events_accepted", accepted())
        .put("disk_bytes_per_event", diskBytesPerEvent())
        .put("disk_bytes", afterRuns().diskBytes())
        .put("server_resident_bytes", afterRuns().residentBytes())
        .put(
            "server_resident_bytes_after_queries",
            afterQueries == null ? null : afterQueries.residentBytes())
        .put("queries", queries.stream().map(BenchQuery.Timing::figures).toList())
        .put("verify", verifications.stream().map(Verification::figures).toList())
        .put("stopped", stopped)
        .put("passed", passed());
  }

  private JsonObject figures(HourRun run) {
    return new JsonObject()
        .put("hour", run.hour.toString())
        .put("warm_up", warmsUp(run))
        .mergeIn(run.report.figures());
  }

  private boolean warmsUp(HourRun run) {
    return run.equals(runs.get(0));
  }

  String text(String title, int untimed, int repeat) {
    StringBuilder text = new StringBuilder();
    line(text, "%s%n", title);
    if (stopped) {
      line(text, "  STOPPED by a signal: the figures are those so far%n");
    }
    line(
        text,
        "  hour               events/s     MB/s    p99 ms  server CPU/M  client CPU/M  resident MB");
    runs.forEach(run -> hour(text, run.hour, run.report, warmsUp(run)));
    line(
        text,
        "%n  after %,d events: %s stored bytes per event, %s MB resident",
        accepted(),
        RunReport.number("%.1f", diskBytesPerEvent()),
        RunReport.megabytes(afterRuns().residentBytes()));
    if (!queries.isEmpty()) {
      queries(text, untimed, repeat);
    }
    verifications.forEach(verification -> text.append(verification.lines()));
    return text.toString();
  }

  private static void hour(StringBuilder text, Hour hour, RunReport run, boolean warmsUp) {
    line(
        text,
        "  %-14s %,12.0f %8.1f %9.1f %13s %13s %12s%s",
        hour,
        run.eventsPerSecond(),
        run.megabytesPerSecond(),
        run.tally().latencyMicros.getValueAtPercentile(99) / 1e3,
        RunReport.number("%.2f", run.serverCpuPerMillion()),
        RunReport.number("%.2f", run.clientCpuPerMillion()),
        RunReport.megabytes(run.after().residentBytes()),
        warmsUp ? "  (warms up)" : "");
    if (!passed(run) || run.tally().errors.total() > 0) {
      text.append(run.lines(null));
    }
  }

  private void queries(StringBuilder text, int untimed, int repeat) {
    String name = "query (median of %d after %d)".formatted(repeat, untimed);
    line(text, "%n  %-38s  median ms    best ms   worst ms           MB", name);
    for (BenchQuery.Timing timing : queries) {
      line(
          text,
          "  %-38s %10.1f %10.1f %10.1f %12.1f",
          timing.query().name(),
          timing.medianMillis(),
          timing.bestMillis(),
          timing.worstMillis(),
          timing.bytes() / 1e6);
    }
  }

  private static void line(StringBuilder text, String format, @Nullable Object... values) {
    text.append(String.format(Locale.ROOT, format + "%n", values));
  }
}
