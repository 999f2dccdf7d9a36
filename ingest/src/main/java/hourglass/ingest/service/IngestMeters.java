package hourglass.ingest.service;

import hourglass.ingest.decode.Reason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Map;

final class IngestMeters {
  final Counter accepted;
  final Counter bytes;
  private final Counter rejected;
  private final Map<Reason, Counter> byReason = new EnumMap<>(Reason.class);

  IngestMeters(MeterRegistry meters, InFlightBudget inFlight) {
    MeterProvider<Counter> events =
        Counter.builder("hourglass.ingest.events")
            .description("Events by verdict")
            .withRegistry(meters);
    accepted = events.withTag("verdict", "accepted");
    rejected = events.withTag("verdict", "rejected");
    bytes =
        Counter.builder("hourglass.ingest.bytes")
            .description("Bytes of received bodies, unpacked")
            .register(meters);
    MeterProvider<Counter> rejects =
        Counter.builder("hourglass.ingest.rejects")
            .description("Rejected events, by reason")
            .withRegistry(meters);
    for (Reason reason : Reason.values()) {
      byReason.put(reason, rejects.withTag("reason", reason.label()));
    }
    Gauge.builder("hourglass.ingest.in.flight.bytes", inFlight, InFlightBudget::used)
        .description("Memory of requests, from their first byte to their answer")
        .register(meters);
  }

  void rejected(Reason reason) {
    rejected(reason, 1);
  }

  void rejected(Reason reason, long count) {
    rejected.increment((double) count);
    byReason.getOrDefault(reason, rejected).increment((double) count);
  }
}
