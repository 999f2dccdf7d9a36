package hourglass.load.bench;

import hourglass.bucketing.Hour;
import hourglass.load.client.ServerMetrics;
import hourglass.load.send.GenerateOptions;
import hourglass.load.send.LoadSubcommand;
import hourglass.load.send.RunReport;
import hourglass.load.send.RunResult;
import hourglass.load.verify.Verification;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The figures of the benchmark as text and for JSON. */
final class BenchResult {
  private final GenerateOptions generate;
  private final int connections;
  private final int batch;
  private final int repeat;
  private final List<Hour> hours = new ArrayList<>();
  private final List<RunResult> runs = new ArrayList<>();
  private final List<QueryTiming> queries = new ArrayList<>();
  private final List<Verification> verifications = new ArrayList<>();
  private @Nullable ServerMetrics afterQueries;

  BenchResult(GenerateOptions generate, int connections, int batch, int repeat) {
    this.generate = generate;
    this.connections = connections;
    this.batch = batch;
    this.repeat = repeat;
  }

  RunResult add(Hour hour, RunResult run) {
    hours.add(hour);
    runs.add(run);
    return run;
  }

  List<Hour> hours() {
    return hours;
  }

  List<RunResult> runs() {
    return runs;
  }

  List<QueryTiming> queries() {
    return queries;
  }

  List<Verification> verifications() {
    return verifications;
  }

  void afterQueries(ServerMetrics metrics) {
    afterQueries = metrics;
  }

  boolean passed() {
    return runs.stream().allMatch(run -> run.complete() && run.tally().rejected.sum() == 0)
        && verifications.stream().allMatch(Verification::passed);
  }

  private long accepted() {
    return runs.stream().mapToLong(RunResult::accepted).sum();
  }

  private ServerMetrics afterRuns() {
    return runs.get(runs.size() - 1).after();
  }

  /** Over all hours, the one that warms up too. */
  private @Nullable Double diskBytesPerEvent() {
    Double from = runs.get(0).before().diskBytes();
    Double to = afterRuns().diskBytes();
    return from == null || to == null ? null : (to - from) / accepted();
  }

  /** Every figure and setting. */
  Map<String, @Nullable Object> figures(LoadSubcommand command) {
    Map<String, @Nullable Object> settings = new LinkedHashMap<>(generate.figures());
    settings.putAll(command.targetFigures());
    settings.put("connections", connections);
    settings.put("batch_events", batch);
    settings.put("repeat", repeat);
    Map<String, @Nullable Object> figures = new LinkedHashMap<>();
    figures.put("scenario", "bench");
    figures.put("target", command.target.text());
    figures.put("settings", settings);
    figures.put("hours", hourFigures());
    figures.put("events_accepted", accepted());
    figures.put("disk_bytes_per_event", diskBytesPerEvent());
    figures.put("disk_bytes", afterRuns().diskBytes());
    figures.put("server_resident_bytes", afterRuns().residentBytes());
    figures.put(
        "server_resident_bytes_after_queries",
        afterQueries == null ? null : afterQueries.residentBytes());
    figures.put("queries", queries.stream().map(BenchResult::queryFigures).toList());
    figures.put("verify", verifications.stream().map(Verification::figures).toList());
    figures.put("passed", passed());
    return figures;
  }

  private List<Object> hourFigures() {
    List<Object> all = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      Map<String, @Nullable Object> one = new LinkedHashMap<>();
      one.put("hour", hours.get(i).toString());
      one.put("warm_up", i == 0);
      one.putAll(RunReport.figures(runs.get(i), true));
      all.add(one);
    }
    return all;
  }

  private static Map<String, @Nullable Object> queryFigures(QueryTiming timing) {
    Map<String, @Nullable Object> figures = new LinkedHashMap<>();
    figures.put("name", timing.query().name());
    figures.put("path", timing.query().path());
    figures.put("events", timing.query().expected());
    figures.put("bytes", timing.bytes());
    figures.put("median_ms", timing.medianMillis());
    figures.put("best_ms", timing.bestMillis());
    figures.put("worst_ms", timing.worstMillis());
    return figures;
  }

  /** The report as tables. */
  String text(String target) {
    StringBuilder text = new StringBuilder();
    line(
        text,
        "bench at %s: %,d events an hour, %d types (Zipf %.1f), batches of %,d, %d connections",
        target,
        generate.events,
        generate.types,
        generate.skew,
        batch,
        connections);
    line(text, "");
    line(
        text,
        "  %-14s %12s %8s %9s %13s %13s %12s",
        "hour",
        "events/s",
        "MB/s",
        "p99 ms",
        "server CPU/M",
        "client CPU/M",
        "resident MB");
    for (int i = 0; i < runs.size(); i++) {
      hour(text, hours.get(i), runs.get(i), i == 0 ? "  (warms up)" : "");
    }
    line(text, "");
    line(
        text,
        "  after %,d events: %s stored bytes per event, %s MB resident",
        accepted(),
        RunReport.number("%.1f", diskBytesPerEvent()),
        RunReport.number("%,.0f", RunReport.megabytes(afterRuns().residentBytes())));
    if (!queries.isEmpty()) {
      queries(text);
    }
    verifications.forEach(verification -> text.append(verification.text()));
    return text.toString();
  }

  private static void hour(StringBuilder text, Hour hour, RunResult run, String note) {
    line(
        text,
        "  %-14s %,12.0f %8.1f %9.1f %13s %13.2f %12s%s",
        hour,
        run.eventsPerSecond(),
        run.megabytesPerSecond(),
        run.tally().latencyMicros.getValueAtPercentile(99) / 1e3,
        RunReport.number("%.2f", run.serverCpuPerMillion()),
        run.clientCpuPerMillion(),
        RunReport.number("%,.0f", RunReport.megabytes(run.after().residentBytes())),
        note);
    if (!run.complete() || run.tally().errors.total() > 0 || run.tally().rejected.sum() > 0) {
      text.append(RunReport.text(run, 0, null));
    }
  }

  private void queries(StringBuilder text) {
    line(text, "");
    line(
        text,
        "  %-38s %10s %10s %10s %12s",
        "query (median of " + repeat + ")",
        "median ms",
        "best ms",
        "worst ms",
        "MB");
    for (QueryTiming timing : queries) {
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
    text.append(String.format(Locale.ROOT, format, values)).append(System.lineSeparator());
  }
}
