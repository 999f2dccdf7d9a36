package hourglass.load.canary;

import hourglass.load.send.Counts;
import hourglass.load.verify.Faults;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

/** The counters of a canary, for its report and as metrics. For any number of threads. */
final class CanaryTally {
  private static final String PREFIX = "hourglass.canary.";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  final LongAdder sent = counter("sent", "Events sent.");
  final LongAdder acknowledged = counter("acknowledged", "Events acknowledged.");
  final LongAdder retried = counter("retried", "Pushes of an event beyond its first.");
  final LongAdder unacknowledged =
      counter("unacknowledged", "Events given up without an acknowledgement.");
  final LongAdder unacknowledgedPresent = unacknowledgedChecked("true");
  final LongAdder unacknowledgedAbsent = unacknowledgedChecked("false");
  final LongAdder missed = counter("missed", "Turns of the schedule skipped, far too late.");
  final LongAdder checked = counter("checked", "Acknowledged events that a check looked for.");
  final LongAdder unchecked = counter("unchecked", "Events that no check could look for.");
  final LongAdder lost = counter("lost", "Acknowledged events missing from a complete answer.");
  final LongAdder duplicated = counter("duplicated", "Events there more than once.");
  final LongAdder outOfOrder = counter("out.of.order", "Events before an earlier one.");
  final LongAdder changed = counter("changed", "Events with other bytes or times than sent.");
  final LongAdder foreign = counter("foreign", "Events of the type that no canary sent.");

  final Counts pushErrors = byKind("push.errors", "Pushes without an acknowledgement.");
  final Counts readsFailed = byKind("reads.failed", "Queries without a complete answer.");

  final Delays push = delays("push", "From the intended sending to the acknowledgement.");

  /** From the intended time of sending until an answer held the event. */
  final Delays visibleSinceDue = visible("due");

  final Delays visibleSinceAcknowledged = visible("acknowledged");

  private LongAdder counter(String name, String help, String... tags) {
    return register(name, help, new LongAdder(), tags);
  }

  private LongAdder register(String name, String help, LongAdder count, String... tags) {
    FunctionCounter.builder(PREFIX + name, count, LongAdder::sum)
        .description(help)
        .tags(tags)
        .register(registry);
    return count;
  }

  private LongAdder unacknowledgedChecked(String found) {
    String help = "Unacknowledged events that a check looked for.";
    return counter("unacknowledged.checked", help, "found", found);
  }

  private Counts byKind(String name, String help) {
    return new Counts((kind, count) -> register(name, help, count, "why", kind));
  }

  private Delays delays(String name, String help, String... tags) {
    return new Delays(registry, PREFIX + name, help, Tags.of(tags));
  }

  private Delays visible(String since) {
    return delays("visible", "Until an answer showed the event.", "since", since);
  }

  void gauge(String name, String help, Supplier<Number> value) {
    Gauge.builder(PREFIX + name, value).description(help).register(registry);
  }

  /** All of them in the text format of Prometheus. */
  String metrics() {
    return registry.scrape();
  }

  void add(Faults faults) {
    lost.add(faults.count(Faults.Kind.LOST));
    duplicated.add(faults.count(Faults.Kind.DOUBLED));
    outOfOrder.add(faults.count(Faults.Kind.ORDER));
    changed.add(faults.count(Faults.Kind.ALTERED));
    foreign.add(faults.count(Faults.Kind.FOREIGN));
  }

  long faults() {
    return lost.sum() + duplicated.sum() + outOfOrder.sum() + changed.sum();
  }

  /** Whether at least one event was acknowledged, and all of them are stored as sent. */
  boolean passed() {
    return faults() == 0 && unchecked.sum() == 0 && acknowledged.sum() > 0;
  }
}
