package hourglass.ingest.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.ingest.kafka.KafkaMeters.PartitionStatus;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

class KafkaMetersTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final KafkaMeters meters = new KafkaMeters(registry);

  @Test
  void gaugesFollowTheAssignedPartitions() {
    meters.publish(List.of(status(0, 3), status(1, 4)));
    Gauge first = lag(0);
    meters.publish(List.of(status(0, 5)));
    assertThat(lag(0)).isSameAs(first);
    assertThat(first.value()).isEqualTo(5);
    assertThat(lags()).isEqualTo(1);
  }

  @Test
  void partitionOfTwoMembersIsReportedOnce() {
    meters.publish(List.of(status(0, 3), status(0, 4)));
    assertThat(lag(0).value()).isEqualTo(4);
    assertThat(lags()).isEqualTo(1);
  }

  @Test
  void unknownFiguresAreLeftOut() {
    meters.publish(List.of(status(0, 3)));
    meters.publish(List.of(status(0, -1)));
    assertThat(lags()).isZero();
  }

  private static PartitionStatus status(int partition, long lag) {
    return new PartitionStatus("orders", partition, 7, lag, 0, false);
  }

  private Gauge lag(int partition) {
    return registry
        .get("hourglass.kafka.lag")
        .tags("topic", "orders", "partition", Integer.toString(partition))
        .gauge();
  }

  private long lags() {
    return registry.find("hourglass.kafka.lag").gauges().size();
  }
}
