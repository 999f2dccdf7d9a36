package hourglass.load.canary;

import hourglass.load.command.ReportLines;
import hourglass.load.send.RunReport;
import java.util.Locale;

final class CanaryReport {
  private CanaryReport() {}

  static String text(CanaryTally tally, double seconds) {
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
    tally
        .firstTexts()
        .forEach((kind, texts) -> texts.forEach(text -> lines.add("", "%s: %s", kind, text)));
    return lines.toString();
  }

  private static String delays(Delays delays, String from) {
    return RunReport.latencyLine(delays.micros()) + from;
  }

  static String line(CanaryTally tally, double oldestUnseenSeconds) {
    return String.format(
        Locale.ROOT,
        "canary: %,d acknowledged of %,d, p99 %.1f ms, visible p99 %.1f ms, oldest unseen %.1f s,"
            + " %,d checked, %,d faults, errors %,d, retries %,d, reads failed %,d",
        tally.acknowledged.sum(),
        tally.sent.sum(),
        tally.push.micros().getValueAtPercentile(99) / 1e3,
        tally.visibleSinceAcknowledged.micros().getValueAtPercentile(99) / 1e3,
        oldestUnseenSeconds,
        tally.checked.sum(),
        tally.faults(),
        tally.pushErrors.total(),
        tally.retried.sum(),
        tally.readsFailed.total());
  }
}
