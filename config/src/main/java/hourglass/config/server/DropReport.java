package hourglass.config.server;

import hourglass.config.gate.audit.AuditEvent;
import hourglass.config.gate.audit.AuditLog;
import hourglass.store.BudgetDrop;
import hourglass.store.BudgetDrop.Why;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Counts dropped hours, and writes those that no request names to the audit file. Thread-safe.
 *
 * @param audit null if no audit file is configured
 */
record DropReport(MeterRegistry meters, @Nullable AuditLog audit) {
  private static final String ON_REQUEST = "request";

  /** Creates a report, whose counters are served from the beginning. */
  static DropReport of(MeterRegistry meters, @Nullable AuditLog audit) {
    DropReport report = new DropReport(meters, audit);
    var unused = report.counter(ON_REQUEST);
    for (Why why : Why.values()) {
      unused = report.counter(why.text());
    }
    return report;
  }

  private Counter counter(String why) {
    return Counter.builder("hourglass.retention.drops")
        .description(
            "Hours, or types of an hour, dropped on request, and hours for a budget of the disk")
        .tag("why", why)
        .register(meters);
  }

  /** Reports a drop that a request asked for; the request itself is in the audit file. */
  void droppedOnRequest() {
    counter(ON_REQUEST).increment();
  }

  void droppedForBudget(BudgetDrop drop) {
    counter(drop.why().text()).increment();
    if (audit != null) {
      audit.add(
          AuditEvent.of("drop")
              .with("hour", drop.hour().toString())
              .with("why", "retention." + drop.why().text())
              .with("bytes", drop.bytes()));
    }
  }
}
