package hourglass.load.bench;

import hourglass.bucketing.Hour;
import hourglass.command.FigureText;
import hourglass.command.Table;
import hourglass.load.client.ServerMetrics;
import hourglass.load.send.RunReport;
import hourglass.load.verify.Verification;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

final class BenchResult {
  record HourRun(Hour hour, RunReport report) {}

  /** The runs, of which the first one warms up. */
  final List<HourRun> runs = new ArrayList<>();

  final List<AnswerTimes> queries = new ArrayList<>();
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
    return run.complete() && run.tally().events.rejected.sum() == 0;
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
        .put("queries", queries.stream().map(AnswerTimes::figures).toList())
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
    StringBuilder text = new StringBuilder(title).append("\n\n");
    if (stopped) {
      text.append("  STOPPED by a signal: the figures are those so far\n\n");
    }
    text.append(hours().text().indent(2));
    runs.stream()
        .filter(run -> !passed(run.report) || run.report.tally().errors.total() > 0)
        .forEach(run -> text.append(run.hour).append('\n').append(run.report.lines(null)));
    text.append(
        FigureText.format(
            "\n  after %,d events: %s stored bytes per event, %s MB resident\n",
            accepted(),
            FigureText.orNotGiven("%.1f", diskBytesPerEvent()),
            FigureText.megabytes(afterRuns().residentBytes())));
    if (!queries.isEmpty()) {
      text.append('\n').append(queries(untimed, repeat).text().indent(2));
    }
    verifications.forEach(verification -> text.append(verification.lines()));
    return text.toString();
  }

  private Table hours() {
    Table table =
        new Table(
            List.of("hour"),
            List.of("events/s", "MB/s", "p99 ms", "server CPU/M", "client CPU/M", "resident MB"),
            "");
    for (HourRun run : runs) {
      RunReport report = run.report;
      table.add(
          List.of(
              run.hour.toString(),
              FigureText.format("%,.0f", report.eventsPerSecond()),
              FigureText.format("%.1f", report.megabytesPerSecond()),
              FigureText.format("%.1f", report.tally().latencies.p99Millis()),
              FigureText.orNotGiven("%.2f", report.serverCpuPerMillion()),
              FigureText.orNotGiven("%.2f", report.clientCpuPerMillion()),
              FigureText.megabytes(report.after().residentBytes()),
              warmsUp(run) ? "(warms up)" : ""));
    }
    return table;
  }

  private Table queries(int untimed, int repeat) {
    String name = "query (last: median of %d after %d)".formatted(repeat, untimed);
    Table table =
        new Table(
            List.of(name), List.of("first ms", "later ms", "last ms", "best ms", "worst ms", "MB"));
    for (AnswerTimes times : queries) {
      Stream<String> millis =
          DoubleStream.of(
                  times.firstMillis(),
                  times.laterMillis(),
                  times.medianMillis(),
                  times.bestMillis(),
                  times.worstMillis())
              .mapToObj(figure -> FigureText.format("%.1f", figure));
      String megabytes = FigureText.format("%.3f", times.bytes() / 1e6);
      table.add(
          Stream.of(Stream.of(times.query().name()), millis, Stream.of(megabytes))
              .flatMap(figures -> figures)
              .toList());
    }
    return table;
  }
}
