package hourglass.store.embedded;

import hourglass.access.SharedRoom;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.List;

/**
 * Gauges of the clients that hold the most of a room. There are at most ten, each with at least a
 * hundredth of the room, since anybody may send from many addresses. Thread-safe.
 */
final class HolderMeters {
  static final Duration PUBLISH_EVERY = Duration.ofSeconds(10);

  private static final int CLIENTS_MAX = 10;
  private static final int PART_MIN = 100;

  private final SharedRoom room;
  private final MultiGauge gauge;

  HolderMeters(MeterRegistry registry, String name, String description, SharedRoom room) {
    this.room = room;
    this.gauge = MultiGauge.builder(name).description(description).register(registry);
  }

  /** Chooses the clients anew. A gauge that stays is not registered again. */
  void publish() {
    List<MultiGauge.Row<?>> rows =
        room.largest(CLIENTS_MAX).stream()
            .filter(each -> each.amount() >= room.max() / PART_MIN)
            .<MultiGauge.Row<?>>map(each -> row(each.holder()))
            .toList();
    gauge.register(rows);
  }

  private MultiGauge.Row<SharedRoom> row(Object holder) {
    return MultiGauge.Row.of(
        Tags.of("client", holder.toString()), room, shared -> shared.held(holder));
  }
}
