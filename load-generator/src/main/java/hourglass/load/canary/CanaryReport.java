package hourglass.load.canary;

import hourglass.load.command.ReportLines;
import hourglass.load.send.RunReport;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The figures of a canary, for people and for programs. */
final class CanaryReport {
  private CanaryReport() {}

  static Map<String, @Nullable Object> figures(
      CanaryTally tally, CanaryNotes notes, double seconds) {
    Map<String, @Nullable Object> figures = new LinkedHashMap<>();
    figures.put("passed", tally.passed());
    figures.put("seconds", seconds);
    figures.put("events_sent", tally.sent.sum());
    figures.put("events_acknowledged", tally.acknowledged.sum());
    figures.put("events_unacknowledged", tally.unacknowledged.sum());
    figures.put("events_unacknowledged_present", tally.unacknowledgedPresent.sum());
    figures.put("events_unacknowledged_absent", tally.unacknowledgedAbsent.sum());
    figures.put("turns_missed", tally.missed.sum());
    figures.put("retries", tally.retried.sum());
    figures.put("push_errors", tally.pushErrors.byKind());
    figures.put("events_checked", tally.checked.sum());
    figures.put("events_unchecked", tally.unchecked.sum());
    figures.put("events_lost", tally.lost.sum());
    figures.put("events_duplicated", tally.duplicated.sum());
    figures.put("events_out_of_order", tally.outOfOrder.sum());
    figures.put("events_changed", tally.changed.sum());
    figures.put("events_foreign", tally.foreign.sum());
    figures.put("reads_failed", tally.readsFailed.byKind());
    figures.put("push_ms", RunReport.latencies(tally.push.micros()));
    figures.put(
        "visible_since_acknowledged_ms",
        RunReport.latencies(tally.visibleSinceAcknowledged.micros()));
    figures.put("visible_since_due_ms", RunReport.latencies(tally.visibleSinceDue.micros()));
    figures.put("first_notes", notes.shown());
    return figures;
  }

  /** The report as lines. */
  static String text(CanaryTally tally, CanaryNotes notes, double seconds) {
    ReportLines lines = new ReportLines();
    lines.add(
        "events",
        "%,d sent in %,.1f s, %,d acknowledged, %,d not, %,d turns missed",
        tally.sent.sum(),
        seconds,
        tally.acknowledged.sum(),
        tally.unacknowledged.sum(),
        tally.missed.sum());
    if (tally.unacknowledged.sum() > 0) {
      lines.add(
          "",
          "of those not acknowledged %,d are there, %,d are not",
          tally.unacknowledgedPresent.sum(),
          tally.unacknowledgedAbsent.sum());
    }
    lines.add("push", "%s", delays(tally.push, "from the intended time of sending"));
    lines.add("visible", "%s", delays(tally.visibleSinceAcknowledged, "from the acknowledgement"));
    lines.add("", "%s", delays(tally.visibleSinceDue, "from the intended time of sending"));
    lines.add("errors", "%s", RunReport.kinds(tally.pushErrors));
    lines.add("retries", "%,d", tally.retried.sum());
    lines.add("reads", "failed: %s", RunReport.kinds(tally.readsFailed));
    verdict(lines, tally);
    notes
        .shown()
        .forEach((kind, texts) -> texts.forEach(text -> lines.add("", "%s: %s", kind, text)));
    return lines.toString();
  }

  private static void verdict(ReportLines lines, CanaryTally tally) {
    lines.add(
        tally.passed() ? "checked" : "WRONG",
        "%,d acknowledged events: %,d lost, %,d duplicated, %,d out of order, %,d changed",
        tally.checked.sum(),
        tally.lost.sum(),
        tally.duplicated.sum(),
        tally.outOfOrder.sum(),
        tally.changed.sum());
    if (tally.acknowledged.sum() == 0) {
      lines.add("", "nothing was acknowledged, so there was nothing to check");
    }
    if (tally.unchecked.sum() > 0) {
      lines.add("", "%,d events could not be checked", tally.unchecked.sum());
    }
    if (tally.foreign.sum() > 0) {
      lines.add("", "%,d events of the type are of no canary", tally.foreign.sum());
    }
  }

  private static String delays(Delays delays, String from) {
    return RunReport.latencyLine(delays.micros()) + from;
  }

  /** How far it is, in a line. */
  static String line(CanaryTally tally, double oldestUnseenSeconds) {
    Histogram push = tally.push.micros();
    Histogram visible = tally.visibleSinceAcknowledged.micros();
    return String.format(
        Locale.ROOT,
        "canary: %,d acknowledged of %,d, p99 %.1f ms, visible p99 %.1f ms, oldest unseen %.1f s,"
            + " %,d checked, %,d faults, errors %,d, retries %,d, reads failed %,d",
        tally.acknowledged.sum(),
        tally.sent.sum(),
        push.getValueAtPercentile(99) / 1e3,
        visible.getValueAtPercentile(99) / 1e3,
        oldestUnseenSeconds,
        tally.checked.sum(),
        tally.faults(),
        tally.pushErrors.total(),
        tally.retried.sum(),
        tally.readsFailed.total());
  }
}
