package hourglass.load.canary;

import hourglass.load.command.JsonText;
import hourglass.load.command.Nanos;
import hourglass.load.send.Counts;
import java.util.Map;

/**
 * The figures of a canary in the text format of Prometheus 0.0.4. Delays are histograms, not
 * quantiles: over days, quantiles of the whole run would no longer move. Thread-safe.
 */
final class CanaryMetrics {
  static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private static final double[] BUCKETS_SECONDS = {
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300
  };

  private final CanaryTally tally;
  private final CanaryUnseen unseen;
  private final CanaryLedger ledger;
  private final Nanos nanos;

  CanaryMetrics(CanaryTally tally, CanaryUnseen unseen, CanaryLedger ledger, Nanos nanos) {
    this.tally = tally;
    this.unseen = unseen;
    this.ledger = ledger;
    this.nanos = nanos;
  }

  String text() {
    StringBuilder out = new StringBuilder(4096);
    counter(out, "sent", "Events sent.", tally.sent.sum());
    counter(out, "acknowledged", "Events acknowledged.", tally.acknowledged.sum());
    counter(out, "retried", "Pushes of an event beyond its first.", tally.retried.sum());
    counter(
        out,
        "unacknowledged",
        "Events given up without an acknowledgement.",
        tally.unacknowledged.sum());
    begin(out, "unacknowledged_checked_total", "counter", "Those of them that were looked for.");
    sample(out, "unacknowledged_checked_total{found=\"true\"}", tally.unacknowledgedPresent.sum());
    sample(out, "unacknowledged_checked_total{found=\"false\"}", tally.unacknowledgedAbsent.sum());
    counter(out, "missed", "Turns of the schedule let go, far too late.", tally.missed.sum());
    counter(out, "checked", "Acknowledged events looked for by a check.", tally.checked.sum());
    counter(out, "unchecked", "Events that no check could look for.", tally.unchecked.sum());
    counter(out, "lost", "Acknowledged events that are not there.", tally.lost.sum());
    counter(out, "duplicated", "Events there more than once.", tally.duplicated.sum());
    counter(out, "out_of_order", "Events before an earlier one.", tally.outOfOrder.sum());
    counter(out, "changed", "Events with other bytes or times.", tally.changed.sum());
    counter(out, "foreign", "Events of the type that no canary sent.", tally.foreign.sum());
    byKind(out, "push_errors", "Pushes without an acknowledgement.", tally.pushErrors);
    byKind(out, "reads_failed", "Queries that gave no whole answer.", tally.readsFailed);
    delays(out);
    gauges(out);
    return out.toString();
  }

  private void gauges(StringBuilder out) {
    begin(
        out,
        "oldest_unseen_seconds",
        "gauge",
        "Since the acknowledgement of the oldest event that no answer has shown; 0: none.");
    sample(out, "oldest_unseen_seconds", unseen.oldestSeconds(nanos.now()));
    begin(out, "awaiting_check", "gauge", "Events that were not checked yet.");
    sample(out, "awaiting_check", ledger.awaited());
  }

  private void delays(StringBuilder out) {
    begin(out, "push_seconds", "histogram", "From the intended sending to the acknowledgement.");
    histogram(out, "push_seconds", "", tally.push);
    begin(out, "visible_seconds", "histogram", "Until an answer showed the event.");
    histogram(out, "visible_seconds", "since=\"acknowledged\"", tally.visibleSinceAcknowledged);
    histogram(out, "visible_seconds", "since=\"due\"", tally.visibleSinceDue);
  }

  private static void histogram(StringBuilder out, String name, String label, Delays of) {
    Delays.Snapshot delays = of.snapshot();
    String and = label.isEmpty() ? "" : label + ",";
    for (double seconds : BUCKETS_SECONDS) {
      String le = "{%sle=\"%s\"}".formatted(and, JsonText.number(seconds));
      sample(out, name + "_bucket" + le, delays.countUpTo(seconds));
    }
    sample(out, name + "_bucket{" + and + "le=\"+Inf\"}", delays.count());
    String labels = label.isEmpty() ? "" : "{" + label + "}";
    sample(out, name + "_sum" + labels, delays.sumSeconds());
    sample(out, name + "_count" + labels, delays.count());
  }

  private static void byKind(StringBuilder out, String name, String help, Counts counts) {
    begin(out, name + "_total", "counter", help);
    for (Map.Entry<String, Long> kind : counts.byKind().entrySet()) {
      sample(out, name + "_total{why=\"" + kind.getKey() + "\"}", kind.getValue());
    }
  }

  private static void counter(StringBuilder out, String name, String help, long value) {
    begin(out, name + "_total", "counter", help);
    sample(out, name + "_total", value);
  }

  private static void begin(StringBuilder out, String name, String type, String help) {
    out.append(
        "# HELP hourglass_canary_%s %s\n# TYPE hourglass_canary_%s %s\n"
            .formatted(name, help, name, type));
  }

  private static void sample(StringBuilder out, String series, long value) {
    sample(out, series, String.valueOf(value));
  }

  private static void sample(StringBuilder out, String series, double value) {
    sample(out, series, JsonText.number(value));
  }

  private static void sample(StringBuilder out, String series, String value) {
    out.append("hourglass_canary_").append(series).append(' ').append(value).append('\n');
  }
}
