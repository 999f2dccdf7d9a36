package hourglass.store.embedded;

import hourglass.store.embedded.rows.MemoryBudget;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.ToDoubleFunction;

/** The metrics of the engine. */
final class EngineMetrics {
  private EngineMetrics() {}

  static void register(MeterRegistry meters, EmbeddedStore store, MemoryBudget budget) {
    gauge(
        meters, store, "hourglass.store.disk", "Bytes the data directory takes", store::diskBytes);
    gauge(meters, store, "hourglass.store.log", "Bytes of the commit log", store::logBytes);
    gauge(meters, store, "hourglass.store.open", "Memory of columns not in pages", budget::used);
    Gauge.builder("hourglass.store.missing", store, EmbeddedStore::missingParts)
        .description(
            "Parts of the data directory that are missing, as store.embedded.missing has it")
        .register(meters);
    Gauge.builder("hourglass.store.clock.behind", store, s -> s.clockBehind().toSeconds())
        .description("How far the clock is behind the latest time it gave")
        .baseUnit("seconds")
        .register(meters);
  }

  private static void gauge(
      MeterRegistry meters,
      EmbeddedStore store,
      String name,
      String description,
      java.util.function.LongSupplier value) {
    ToDoubleFunction<EmbeddedStore> read = ignored -> value.getAsLong();
    Gauge.builder(name, store, read).description(description).baseUnit("bytes").register(meters);
  }
}
