package hourglass.ingest;

import hourglass.ingest.decode.Reason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;

final class IngestMeters {
  private final Counter accepted;
  private final Counter rejected;
  private final Counter bytes;
  private final Map<Reason, Counter> byReason = new EnumMap<>(Reason.class);

  IngestMeters(MeterRegistry meters, InFlightBudget inFlight) {
    accepted = events(meters, "accepted");
    rejected = events(meters, "rejected");
    bytes =
        Counter.builder("hourglass.ingest.bytes")
            .description("Bytes of received bodies, unpacked")
            .register(meters);
    for (Reason reason : Reason.values()) {
      byReason.put(
          reason,
          Counter.builder("hourglass.ingest.rejects")
              .description("Rejected events, by reason")
              .tag("reason", reason.label())
              .register(meters));
    }
    Gauge.builder("hourglass.ingest.in.flight.bytes", inFlight, InFlightBudget::used)
        .description("Memory of requests, from their first byte to their answer")
        .register(meters);
  }

  private static Counter events(MeterRegistry meters, String verdict) {
    return Counter.builder("hourglass.ingest.events")
        .description("Events by verdict")
        .tag("verdict", verdict)
        .register(meters);
  }

  void accepted(int events) {
    accepted.increment(events);
  }

  void rejected(Reason reason) {
    rejected.increment();
    byReason.getOrDefault(reason, rejected).increment();
  }

  void body(int length) {
    bytes.increment(length);
  }
}
