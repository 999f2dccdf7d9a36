package hourglass.load.canary;

import hourglass.command.FigureText;
import hourglass.command.ProgressLine;
import hourglass.load.canary.CanaryMeters.Delays;
import hourglass.load.command.Nanos;
import hourglass.load.command.ReportLines;
import hourglass.load.send.Counts;
import hourglass.load.send.Latencies;
import hourglass.load.send.RunReport;
import hourglass.load.verify.Faults;
import hourglass.load.verify.Faults.Kind;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.atomic.LongAdder;

/** The counters of a canary, with the texts of faults and errors. Thread-safe. */
final class CanaryTally {
  /** The events that are pushed. */
  final class Pushes {
    final LongAdder sent = meters.events("sent", "Events sent.");
    final LongAdder acknowledged = meters.events("acknowledged", "Events acknowledged.");
    final LongAdder unacknowledged =
        meters.events("unacknowledged", "Events given up without an acknowledgement.");
    final LongAdder unacknowledgedPresent = unacknowledgedChecked("present", "true");
    final LongAdder unacknowledgedAbsent = unacknowledgedChecked("absent", "false");
    final LongAdder missed =
        meters.counter("turns_missed", "missed", "Turns of the schedule skipped, far too late.");
    final LongAdder retried =
        meters.counter("retries", "retried", "Pushes of an event beyond its first.");
    final Counts errors =
        meters.byKind("push_errors", "push.errors", "Pushes without an acknowledgement.");

    private LongAdder unacknowledgedChecked(String name, String found) {
      String help = "Unacknowledged events that a check looked for.";
      return meters.counter(
          "events_unacknowledged_" + name, "unacknowledged.checked", help, "found", found);
    }
  }

  /** The events that are looked for once they should be visible. */
  final class Checks {
    final LongAdder checked =
        meters.events("checked", "Acknowledged events that a check looked for.");
    final LongAdder unchecked = meters.events("unchecked", "Events that no check could look for.");
    final LongAdder lost =
        meters.events("lost", "Acknowledged events missing from a complete answer.");
    final LongAdder duplicated = meters.events("duplicated", "Events there more than once.");
    final LongAdder outOfOrder =
        meters.counter("events_out_of_order", "out.of.order", "Events before an earlier one.");
    final LongAdder changed =
        meters.events("changed", "Events with other bytes or times than sent.");
    final LongAdder foreign = meters.events("foreign", "Events of the type that no canary sent.");
    final Counts readsFailed =
        meters.byKind("reads_failed", "reads.failed", "Queries without a complete answer.");
  }

  final CanaryMeters meters = new CanaryMeters();
  final FaultLog log;
  final Pushes pushes = new Pushes();
  final Checks checks = new Checks();
  final Delays push =
      meters.delays("push_ms", "push", "From the intended sending to the acknowledgement.");
  final Delays visibleSinceAcknowledged = visible("acknowledged");

  /** The delays from the intended time of sending to the first answer that contains the event. */
  final Delays visibleSinceDue = visible("due");

  CanaryTally(ProgressLine progress, Nanos nanos) {
    this.log = new FaultLog(progress, nanos);
  }

  private Delays visible(String since) {
    String help = "Until an answer showed the event.";
    return meters.delays("visible_since_" + since + "_ms", "visible", help, "since", since);
  }

  void pushFailed(String kind, String text) {
    pushes.errors.add(kind, 1);
    log.add("push " + kind, text);
  }

  void readFailed(String kind, String text) {
    checks.readsFailed.add(kind, 1);
    log.add("read " + kind, text);
  }

  void add(Faults faults) {
    checks.lost.add(faults.count(Kind.LOST));
    checks.duplicated.add(faults.count(Kind.DOUBLED));
    checks.outOfOrder.add(faults.count(Kind.ORDER));
    checks.changed.add(faults.count(Kind.ALTERED));
    checks.foreign.add(faults.count(Kind.FOREIGN));
    faults
        .counts()
        .keySet()
        .forEach(kind -> faults.shown(kind).forEach(text -> log.add(kind.label, text)));
  }

  long faults() {
    return checks.lost.sum()
        + checks.duplicated.sum()
        + checks.outOfOrder.sum()
        + checks.changed.sum();
  }

  /** Returns whether events were acknowledged, and all of them are stored as sent. */
  boolean passed() {
    return faults() == 0 && checks.unchecked.sum() == 0 && pushes.acknowledged.sum() > 0;
  }

  /** Returns all figures. {@code seconds} is the time of sending. */
  JsonObject figures(double seconds) {
    JsonObject all = new JsonObject().put("passed", passed()).put("seconds", seconds);
    meters.addTo(all);
    all.put("first_notes", log.firstTexts());
    return all;
  }

  String text(double seconds) {
    ReportLines lines = new ReportLines();
    lines.add(
        "events",
        "%,d sent in %,.1f s, %,d acknowledged, %,d not, %,d turns missed",
        pushes.sent.sum(),
        seconds,
        pushes.acknowledged.sum(),
        pushes.unacknowledged.sum(),
        pushes.missed.sum());
    if (pushes.unacknowledged.sum() > 0) {
      lines.add(
          "",
          "of those not acknowledged %,d are there, %,d are not",
          pushes.unacknowledgedPresent.sum(),
          pushes.unacknowledgedAbsent.sum());
    }
    lines.add("push", "%s", delays(push, "from the intended time of sending"));
    lines.add("visible", "%s", delays(visibleSinceAcknowledged, "from the acknowledgement"));
    lines.add("", "%s", delays(visibleSinceDue, "from the intended time of sending"));
    lines.add("errors", "%s", RunReport.kinds(pushes.errors));
    lines.add("retries", "%,d", pushes.retried.sum());
    lines.add("reads", "failed: %s", RunReport.kinds(checks.readsFailed));
    lines.add(
        passed() ? "checked" : "WRONG",
        "%,d acknowledged events: %,d lost, %,d duplicated, %,d out of order, %,d changed",
        checks.checked.sum(),
        checks.lost.sum(),
        checks.duplicated.sum(),
        checks.outOfOrder.sum(),
        checks.changed.sum());
    if (pushes.acknowledged.sum() == 0) {
      lines.add("", "nothing was acknowledged, so there was nothing to check");
    }
    if (checks.unchecked.sum() > 0) {
      lines.add("", "%,d events could not be checked", checks.unchecked.sum());
    }
    if (checks.foreign.sum() > 0) {
      lines.add("", "%,d events of the type are of no canary", checks.foreign.sum());
    }
    log.firstTexts()
        .forEach((kind, texts) -> texts.forEach(text -> lines.add("", "%s: %s", kind, text)));
    return lines.toString();
  }

  private static String delays(Delays delays, String from) {
    return Latencies.line(delays.micros()) + from;
  }

  String line(double oldestUnseenSeconds) {
    return FigureText.format(
        "canary: %,d acknowledged of %,d, p99 %.1f ms, visible p99 %.1f ms, oldest unseen %.1f s,"
            + " %,d checked, %,d faults, errors %,d, retries %,d, reads failed %,d",
        pushes.acknowledged.sum(),
        pushes.sent.sum(),
        push.micros().getValueAtPercentile(99) / 1e3,
        visibleSinceAcknowledged.micros().getValueAtPercentile(99) / 1e3,
        oldestUnseenSeconds,
        checks.checked.sum(),
        faults(),
        pushes.errors.total(),
        pushes.retried.sum(),
        checks.readsFailed.total());
  }
}
