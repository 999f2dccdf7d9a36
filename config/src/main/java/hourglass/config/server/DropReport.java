package hourglass.config.server;

import hourglass.config.gate.audit.AuditEvent;
import hourglass.config.gate.audit.AuditLog;
import hourglass.store.BudgetDrop;
import hourglass.store.BudgetDrop.Why;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Counts dropped hours, and writes those that no request names to the audit file. Thread-safe.
 *
 * @param audit null if no audit file is configured
 */
record DropReport(Counter requested, Map<Why, Counter> ofBudget, @Nullable AuditLog audit) {

  static DropReport of(MeterRegistry meters, @Nullable AuditLog audit) {
    Map<Why, Counter> ofBudget =
        Arrays.stream(Why.values())
            .collect(Collectors.toMap(why -> why, why -> counter(meters, why.text())));
    return new DropReport(counter(meters, "request"), ofBudget, audit);
  }

  private static Counter counter(MeterRegistry meters, String why) {
    return Counter.builder("hourglass.retention.drops")
        .description(
            "Hours, or types of an hour, dropped on request, and hours for a budget of the disk")
        .tag("why", why)
        .register(meters);
  }

  /** Reports a drop that a request asked for; the request itself is in the audit file. */
  void droppedOnRequest() {
    requested.increment();
  }

  void droppedForBudget(BudgetDrop drop) {
    ofBudget.get(drop.why()).increment();
    if (audit != null) {
      audit.add(
          AuditEvent.of("drop")
              .with("hour", drop.hour().toString())
              .with("why", "retention." + drop.why().text())
              .with("bytes", drop.bytes()));
    }
  }
}
