package hourglass.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.access.SharedRoom;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HolderMetersTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final SharedRoom room = new SharedRoom(1_000);
  private final HolderMeters meters = new HolderMeters(registry, "held", "for a test", room);

  private Map<String, Double> gauges() {
    return registry.find("held").gauges().stream()
        .collect(
            Collectors.toMap(
                gauge -> Objects.requireNonNull(gauge.getId().getTag("client")), Gauge::value));
  }

  @Test
  void theLargestClientsHaveGauges() {
    room.add("a", 500);
    room.add("b", 9);
    meters.publish();
    assertThat(gauges()).isEqualTo(Map.of("a", 500.0));
    room.add("b", 1);
    room.add("a", 1);
    meters.publish();
    assertThat(gauges()).isEqualTo(Map.of("a", 501.0, "b", 10.0));
    room.release("a", 501);
    meters.publish();
    assertThat(gauges()).isEqualTo(Map.of("b", 10.0));
  }

  @Test
  void gaugesAreLimitedToTheLargestClients() {
    IntStream.range(0, 50).forEach(client -> room.add(client, 10 + client));
    meters.publish();
    assertThat(gauges()).hasSize(10).containsKey("49").doesNotContainKey("39");
  }
}
