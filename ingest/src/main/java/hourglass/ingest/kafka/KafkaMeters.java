package hourglass.ingest.kafka;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** The metrics of consumed topics. Thread-safe. */
final class KafkaMeters {
  private final MeterRegistry registry;
  private final Map<Count, Counter> counters = new EnumMap<>(Count.class);
  private final Map<MultiGauge, ToLongFunction<PartitionStatus>> gauges = new HashMap<>();
  private volatile Map<Tags, PartitionStatus> current = Map.of();

  enum Count {
    COMMITS("commits", "Acknowledged commits of offsets"),
    COMMIT_FAILURES("commit.failures", "Failed commits, which are repeated"),
    PAUSES("pauses", "Pauses of a partition with too many unstored records"),
    RETRIES("retries", "Failed writes to the store, which are repeated"),
    OUT_OF_RANGE("out.of.range", "Offsets for which the broker had no record"),
    RESTARTS("restarts", "Restarts of a failed consumer"),
    REFUSED("refused", "Records that the store refuses for good"),
    DEAD_LETTERS("dead.letters", "Records sent to a dead-letter topic"),
    DEAD_LETTERS_LOST("dead.letters.lost", "Records that could not be sent to one");

    private final String name;
    private final String description;

    Count(String name, String description) {
      this.name = name;
      this.description = description;
    }
  }

  /**
   * The progress of a partition. {@code lag} is the number of records that are not stored; -1 if
   * unknown.
   */
  record PartitionStatus(
      String topic, int partition, long committed, long lag, int held, boolean paused) {}

  KafkaMeters(MeterRegistry registry) {
    this.registry = registry;
    for (Count count : Count.values()) {
      Counter.Builder counter = Counter.builder("hourglass.kafka." + count.name);
      counters.put(count, counter.description(count.description).register(registry));
    }
    gauge("lag", "Records of a partition that are not stored", PartitionStatus::lag);
    gauge("held", "Fetched records of a partition that are not stored", PartitionStatus::held);
    gauge("paused", "1 while a partition waits for the store", status -> status.paused() ? 1 : 0);
    gauge("committed", "The committed offset of the group", PartitionStatus::committed);
  }

  private void gauge(String name, String description, ToLongFunction<PartitionStatus> figure) {
    MultiGauge.Builder gauge = MultiGauge.builder("hourglass.kafka." + name);
    gauges.put(gauge.description(description).register(registry), figure);
  }

  void records(String topic, String verdict, int count) {
    if (count > 0) {
      Counter.builder("hourglass.kafka.records")
          .description("Records by verdict")
          .tag("topic", topic)
          .tag("verdict", verdict)
          .register(registry)
          .increment(count);
    }
  }

  void count(Count count) {
    count(count, 1);
  }

  void count(Count count, int times) {
    Objects.requireNonNull(counters.get(count)).increment(times);
  }

  /** Publishes the progress of partitions, without unknown figures. */
  void publish(List<PartitionStatus> partitions) {
    current = // two members may report a partition that moves
        partitions.stream()
            .collect(Collectors.toMap(KafkaMeters::tags, status -> status, (left, now) -> now));
    gauges.forEach(this::register);
  }

  /**
   * Registers a gauge for each partition, which stays as long as the partition. If it were
   * registered anew, a reader of all meters could find it twice, and fails then.
   */
  private void register(MultiGauge gauge, ToLongFunction<PartitionStatus> figure) {
    gauge.register(
        current.entrySet().stream()
            .filter(one -> figure.applyAsLong(one.getValue()) >= 0)
            .map(one -> row(one.getKey(), figure))
            .toList());
  }

  private MultiGauge.Row<KafkaMeters> row(Tags partition, ToLongFunction<PartitionStatus> figure) {
    return MultiGauge.Row.of(
        partition,
        this,
        meters -> {
          PartitionStatus status = meters.current.get(partition);
          return status == null ? Double.NaN : figure.applyAsLong(status);
        });
  }

  private static Tags tags(PartitionStatus status) {
    return Tags.of("topic", status.topic(), "partition", Integer.toString(status.partition()));
  }
}
