package hourglass.load.send;

import hourglass.load.command.ReportLines;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The figures of a run, for people and for programs. */
public final class RunReport {
  private static final double[] PERCENTILES = {50, 90, 99, 99.9};

  private RunReport() {}

  /** Every figure of a run. */
  public static Map<String, @Nullable Object> figures(RunResult result, boolean fullSpeed) {
    Tally tally = result.tally();
    Map<String, @Nullable Object> figures = new LinkedHashMap<>();
    figures.put("events_accepted", result.accepted());
    figures.put("events_rejected", tally.rejected.sum());
    figures.put("events_untimed", tally.untimed.sum());
    figures.put("events_unknown", tally.unknown.sum());
    figures.put("events_given_up", tally.givenUp.sum());
    figures.put("seconds", result.seconds());
    figures.put("events_per_second", result.eventsPerSecond());
    figures.put("megabytes_per_second", result.megabytesPerSecond());
    figures.put("bytes", tally.bytes.sum());
    figures.put("wire_bytes", tally.wireBytes.sum());
    figures.put("requests", tally.requests.sum());
    figures.put("loop", fullSpeed ? "closed" : "open");
    figures.put("latency_ms", latencies(tally.latencyMicros));
    figures.put("service_ms", latencies(tally.serviceMicros));
    figures.put("errors", tally.errors.byKind());
    figures.put("retries", tally.retries.byKind());
    figures.put("reject_reasons", tally.rejectReasons.byKind());
    figures.put("stopped", result.stopped());
    figures.put("client_cpu_seconds", result.clientCpuSeconds());
    figures.put("client_cpu_seconds_per_million", result.clientCpuPerMillion());
    figures.put("server_cpu_seconds_per_million", result.serverCpuPerMillion());
    figures.put("server_settle_seconds", result.settleSeconds());
    figures.put("server_resident_bytes", result.after().residentBytes());
    figures.put("disk_bytes_per_event", result.diskBytesPerEvent());
    figures.put("disk_bytes", result.after().diskBytes());
    return figures;
  }

  /** By percentile, in milliseconds. */
  public static Map<String, @Nullable Object> latencies(Histogram micros) {
    Map<String, @Nullable Object> figures = new LinkedHashMap<>();
    for (double percentile : PERCENTILES) {
      figures.put(name(percentile), micros.getValueAtPercentile(percentile) / 1e3);
    }
    figures.put("max", micros.getMaxValue() / 1e3);
    figures.put("mean", micros.getMean() / 1e3);
    return figures;
  }

  private static String name(double percentile) {
    return "p"
        + (percentile % 1 == 0 ? String.valueOf((int) percentile) : String.valueOf(percentile));
  }

  /** The report as lines. */
  public static String text(RunResult result, double rate, @Nullable String keyPrefix) {
    Tally tally = result.tally();
    ReportLines lines = new ReportLines();
    lines.add(
        "events",
        "%,d accepted, %,d rejected, %,d unknown, %,d given up",
        result.accepted(),
        tally.rejected.sum(),
        tally.unknown.sum(),
        tally.givenUp.sum());
    tally
        .rejectReasons
        .byKind()
        .forEach((reason, count) -> lines.add("", "rejected %,d, such as: %s", count, reason));
    if (tally.untimed.sum() > 0) {
      lines.add("", "%,d without a time got the time of receipt", tally.untimed.sum());
    }
    lines.add(
        "speed",
        "%,.0f events/s, %,.1f MB/s for %.2f s",
        result.eventsPerSecond(),
        result.megabytesPerSecond(),
        result.seconds());
    lines.add("latency", "%sper request", latencyLine(tally.latencyMicros));
    lines.add("", "%s", rate == 0 ? closedLoop() : openLoop(rate, tally));
    lines.add("errors", "%s", kinds(tally.errors));
    lines.add("retries", "%s", kinds(tally.retries));
    if (keyPrefix != null) {
      lines.add("keys", "%s-n", keyPrefix);
    }
    lines.add("client", "%.2f CPU s per million events", result.clientCpuPerMillion());
    lines.add(
        "server",
        "%s CPU s per million events until %.1f s after the last answer, %s MB resident",
        number("%.2f", result.serverCpuPerMillion()),
        result.settleSeconds(),
        number("%,.0f", megabytes(result.after().residentBytes())));
    lines.add("disk", "%s bytes per event", number("%.1f", result.diskBytesPerEvent()));
    String stopped = result.stopped();
    if (stopped != null) {
      lines.add("STOPPED", "%s", stopped);
    }
    return lines.toString();
  }

  /** The text of a .hgrm file, in milliseconds. */
  public static byte[] distribution(Histogram micros) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(text, false, StandardCharsets.UTF_8);
    micros.outputPercentileDistribution(out, 1e3);
    out.flush();
    return text.toByteArray();
  }

  public static String latencyLine(Histogram micros) {
    StringBuilder line = new StringBuilder();
    latencies(micros).forEach((name, millis) -> line.append(format("%s %.1f  ", name, millis)));
    return line.append("ms ").toString();
  }

  private static String closedLoop() {
    return "closed loop at full speed: each connection waits for its answer, so a slow server is asked less";
  }

  private static String openLoop(double rate, Tally tally) {
    return format(
        "open loop at %,.0f events/s, from the intended time of sending (p99 from the actual one: %.1f ms)",
        rate, tally.serviceMicros.getValueAtPercentile(99) / 1e3);
  }

  public static String kinds(Counts counts) {
    if (counts.total() == 0) {
      return "none";
    }
    StringBuilder line = new StringBuilder();
    counts.byKind().forEach((kind, count) -> line.append(format("%,d %s  ", count, kind)));
    return line.toString().strip();
  }

  public static @Nullable Double megabytes(@Nullable Double bytes) {
    return bytes == null ? null : bytes / 1e6;
  }

  /** A number, or a word when the target does not give it. */
  public static String number(String format, @Nullable Double value) {
    return value == null ? "(not given)" : format(format, value);
  }

  private static String format(String format, @Nullable Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
