package hourglass.load.send;

import hourglass.command.FigureText;
import hourglass.load.client.ServerMetrics;
import hourglass.load.command.ReportLines;
import io.vertx.core.json.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * The measurements of a run.
 *
 * @param rate the events per second of the schedule; 0 for full speed
 * @param seconds the time from the first batch to the last answer
 * @param clientCpuSeconds the CPU time of this process during the same time
 * @param before metrics just before the first batch
 * @param after metrics once the target has settled
 */
public record RunReport(
    Tally tally,
    double rate,
    double seconds,
    double settleSeconds,
    double clientCpuSeconds,
    ServerMetrics before,
    ServerMetrics after) {
  /**
   * The length below which a run is short. Such a run consists mostly of its start: opening
   * connections, and code that is not yet compiled.
   */
  private static final int SHORT_SECONDS = 5;

  /** The time after the last event within which a store writes its pages. */
  private static final int SETTLED_SECONDS = 2;

  public long accepted() {
    return tally.events.accepted.sum();
  }

  public double eventsPerSecond() {
    return accepted() / seconds;
  }

  public double megabytesPerSecond() {
    return tally.traffic.bytes.sum() / 1e6 / seconds;
  }

  /** Returns the client's CPU seconds per million events, or null if no event was accepted. */
  public @Nullable Double clientCpuPerMillion() {
    return accepted() == 0 ? null : clientCpuSeconds / accepted() * 1e6;
  }

  /**
   * Returns the server's CPU seconds per million events. Returns null if the target does not report
   * them, or has restarted meanwhile.
   */
  public @Nullable Double serverCpuPerMillion() {
    Double cpu = perEvent(before.cpuSeconds(), after.cpuSeconds());
    return cpu == null || cpu < 0 ? null : cpu * 1e6;
  }

  /**
   * Returns the stored bytes per event. Returns null if they are unknown, or if the store shrank
   * meanwhile because it deleted other files.
   */
  private @Nullable Double diskBytesPerEvent() {
    Double bytes = perEvent(before.diskBytes(), after.diskBytes());
    return bytes == null || bytes <= 0 ? null : bytes;
  }

  private @Nullable Double perEvent(@Nullable Double from, @Nullable Double to) {
    return from == null || to == null || accepted() == 0 ? null : (to - from) / accepted();
  }

  public boolean complete() {
    return tally.signal.reason() == null
        && tally.events.unknown.sum() == 0
        && tally.events.givenUp.sum() == 0;
  }

  public JsonObject figures() {
    return new JsonObject()
        .put("events_accepted", accepted())
        .put("events_rejected", tally.events.rejected.sum())
        .put("events_untimed", tally.events.untimed.sum())
        .put("events_unknown", tally.events.unknown.sum())
        .put("events_given_up", tally.events.givenUp.sum())
        .put("seconds", seconds)
        .put("events_per_second", eventsPerSecond())
        .put("megabytes_per_second", megabytesPerSecond())
        .put("bytes", tally.traffic.bytes.sum())
        .put("wire_bytes", tally.traffic.wireBytes.sum())
        .put("requests", tally.traffic.requests.sum())
        .put("loop", rate == 0 ? "closed" : "open")
        .put("latency_ms", Latencies.figures(tally.latencies.intendedMicros))
        .put("service_ms", Latencies.figures(tally.latencies.serviceMicros))
        .put("latency_curve_ms", Latencies.curve(tally.latencies.intendedMicros))
        .put("service_curve_ms", Latencies.curve(tally.latencies.serviceMicros))
        .mergeIn(tally.latencies.timeline.figures())
        .put("errors", tally.errors.byKind())
        .put("retries", tally.retries.byKind())
        .put("reject_reasons", tally.rejectReasons.byKind())
        .put("stopped", tally.signal.reason())
        .put("client_cpu_seconds", clientCpuSeconds)
        .put("client_cpu_seconds_per_million", clientCpuPerMillion())
        .put("server_cpu_seconds_per_million", serverCpuPerMillion())
        .put("server_settle_seconds", settleSeconds)
        .put("server_resident_bytes", after.residentBytes())
        .put("disk_bytes_per_event", diskBytesPerEvent())
        .put("disk_bytes", after.diskBytes());
  }

  public ReportLines lines(@Nullable String keyPrefix) {
    ReportLines lines = new ReportLines();
    String stopped = tally.signal.reason();
    if (stopped != null) {
      lines.add("STOPPED", "%s", stopped);
    }
    lines.add(
        "events",
        "%,d accepted, %,d rejected, %,d unknown, %,d given up",
        accepted(),
        tally.events.rejected.sum(),
        tally.events.unknown.sum(),
        tally.events.givenUp.sum());
    tally
        .rejectReasons
        .byKind()
        .forEach((reason, count) -> lines.add("", "rejected %,d, such as: %s", count, reason));
    Tally.Reject reject = tally.firstReject();
    if (reject != null) {
      lines.add("", "the first is event %,d: %s", reject.event(), reject.reason());
    }
    if (tally.events.untimed.sum() > 0) {
      lines.add("", "%,d without a time got the time of receipt", tally.events.untimed.sum());
    }
    lines.add(
        "speed",
        "%,.0f events/s, %,.1f MB/s for %.2f s",
        eventsPerSecond(),
        megabytesPerSecond(),
        seconds);
    if (seconds < SHORT_SECONDS) {
      lines.add("", "a short run: its start weighs much; want %d s or more", SHORT_SECONDS);
    }
    lines.add("latency", "%sper request", Latencies.line(tally.latencies.intendedMicros));
    if (rate == 0) {
      lines.add(
          "",
          "closed loop at full speed: each connection waits for its answer, so a slow server is asked less");
    } else {
      lines.add(
          "",
          "open loop at %,.0f events/s, from the intended time of sending (p99 from the actual one: %.1f ms)",
          rate,
          tally.latencies.serviceMicros.getValueAtPercentile(99) / 1e3);
    }
    lines.add("errors", "%s", kinds(tally.errors));
    lines.add("retries", "%s", kinds(tally.retries));
    if (keyPrefix != null) {
      lines.add("keys", "%s-n", keyPrefix);
    }
    lines.add(
        "client",
        "%s CPU s per million events",
        FigureText.orNotGiven("%.2f", clientCpuPerMillion()));
    lines.add(
        "server",
        "%s CPU s per million events until %.1f s after the last answer, %s MB resident",
        FigureText.orNotGiven("%.2f", serverCpuPerMillion()),
        settleSeconds,
        FigureText.megabytes(after.residentBytes()));
    if (settleSeconds < SETTLED_SECONDS) {
      lines.add(
          "",
          "not settled: the store's later work is not in it; want --settle %ds",
          SETTLED_SECONDS);
    }
    Double disk = diskBytesPerEvent();
    if (disk != null) {
      lines.add("disk", "%.1f bytes per event", disk);
    }
    return lines;
  }

  public static String kinds(Counts counts) {
    StringBuilder line = new StringBuilder();
    counts
        .byKind()
        .forEach((kind, count) -> line.append(FigureText.format("%,d %s  ", count, kind)));
    return counts.total() == 0 ? "none" : line.toString().strip();
  }
}
