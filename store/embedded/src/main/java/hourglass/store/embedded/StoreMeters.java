package hourglass.store.embedded;

import hourglass.store.embedded.disk.SpaceGuard;
import hourglass.store.embedded.firsttimes.FirstTimeIndex;
import hourglass.store.embedded.maintenance.DiskUse;
import hourglass.store.embedded.memory.Hours;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The gauges of the embedded engine. */
record StoreMeters(MeterRegistry meters) {

  /** Creates the gauges of the clients that hold the most of each shared room. */
  List<HolderMeters> holders(FirstTimeIndex firstTimes, Hours hours) {
    return List.of(
        new HolderMeters(
            meters,
            "hourglass.store.first.times.held",
            "First times by the client that sent the events, of those that hold the most",
            firstTimes.room()),
        new HolderMeters(
            meters,
            "hourglass.store.entries.held",
            "Rows and their first pages in memory by the client that made the rows, of those that"
                + " hold the most",
            hours.entries()));
  }

  void register(EmbeddedStore store, DiskUse use, SpaceGuard space, StoreContent content) {
    gauge("hourglass.store.disk", "Bytes the data directory takes", "bytes", use::storeBytes);
    gauge(
        "hourglass.store.disk.free",
        "Bytes that the disk takes until writes are refused; negative while they are",
        "bytes",
        space::freeBytes);
    gauge("hourglass.store.log", "Bytes of the commit log", "bytes", use::logBytes);
    gauge(
        "hourglass.store.open", "Memory of columns not in pages", "bytes", content.memory()::used);
    gauge(
        "hourglass.store.first.times",
        "Events without a time whose first times are kept",
        null,
        content.firstTimes().room()::total);
    gauge(
        "hourglass.store.entries",
        "Rows and pages in memory",
        null,
        content.hours().entries()::total);
    gauge(
        "hourglass.store.erasures",
        "Erasures whose bytes are not yet removed; their columns are hidden",
        null,
        content.erasures()::hidden);
    gauge(
        "hourglass.store.erased",
        "Erased columns whose repeats are recognised",
        null,
        () -> content.erasures().current().remembered());
    gauge(
        "hourglass.store.missing",
        "Parts of the data directory that are missing, as store.embedded.missing has it",
        null,
        content.missing()::count);
    gauge(
        "hourglass.store.clock.behind",
        "How far the clock is behind the latest time it gave",
        "seconds",
        () -> store.clockBehind().toSeconds());
  }

  private void gauge(
      String name, String description, @Nullable String unit, Supplier<Number> value) {
    Gauge.builder(name, value).description(description).baseUnit(unit).register(meters);
  }
}
