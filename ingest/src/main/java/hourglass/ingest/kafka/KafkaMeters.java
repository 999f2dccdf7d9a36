package hourglass.ingest.kafka;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** The metrics of consumed topics. Thread-safe. */
final class KafkaMeters {
  private final MeterRegistry registry;
  private final Counter commits;
  private final Counter commitFailures;
  private final Counter pauses;
  private final Counter retries;
  private final Counter outOfRange;
  private final Counter restarts;
  private final Counter refused;
  private final Counter deadLetters;
  private final Counter deadLettersLost;
  private final MultiGauge lag;
  private final MultiGauge held;
  private final MultiGauge paused;
  private final MultiGauge committedOffsets;
  private volatile Map<Tags, PartitionStatus> current = Map.of();

  KafkaMeters(MeterRegistry registry) {
    this.registry = registry;
    commits = counter("commits", "Acknowledged commits of offsets");
    commitFailures = counter("commit.failures", "Failed commits, which are repeated");
    pauses = counter("pauses", "Pauses of a partition with too many unstored records");
    retries = counter("retries", "Failed writes to the store, which are repeated");
    outOfRange = counter("out.of.range", "Offsets for which the broker had no record");
    restarts = counter("restarts", "Restarts of a failed consumer");
    refused = counter("refused", "Records that the store refuses for good");
    deadLetters = counter("dead.letters", "Records sent to a dead-letter topic");
    deadLettersLost = counter("dead.letters.lost", "Records that could not be sent to one");
    lag = gauge("lag", "Records of a partition that are not stored");
    held = gauge("held", "Fetched records of a partition that are not stored");
    paused = gauge("paused", "1 while a partition waits for the store");
    committedOffsets = gauge("committed", "The committed offset of the group");
  }

  private Counter counter(String name, String description) {
    return Counter.builder("hourglass.kafka." + name).description(description).register(registry);
  }

  private MultiGauge gauge(String name, String description) {
    return MultiGauge.builder("hourglass.kafka." + name)
        .description(description)
        .register(registry);
  }

  /** Counts the records of a topic by verdict. */
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

  void committed() {
    commits.increment();
  }

  void commitFailed() {
    commitFailures.increment();
  }

  void paused() {
    pauses.increment();
  }

  void retried() {
    retries.increment();
  }

  void outOfRange(int partitions) {
    outOfRange.increment(partitions);
  }

  void refused() {
    refused.increment();
  }

  void restarted() {
    restarts.increment();
  }

  void deadLetter() {
    deadLetters.increment();
  }

  void deadLetterLost() {
    deadLettersLost.increment();
  }

  /** Replaces the figures of the partitions; unknown ones are left out. */
  void publish(List<PartitionStatus> partitions) {
    current = // two members may report a partition that moves
        partitions.stream()
            .collect(Collectors.toMap(KafkaMeters::tags, status -> status, (left, now) -> now));
    register(lag, PartitionStatus::lag);
    register(held, PartitionStatus::held);
    register(paused, status -> status.paused() ? 1 : 0);
    register(committedOffsets, PartitionStatus::committed);
  }

  /**
   * A gauge reads the current figure, and stays as long as its partition. Gauges that are
   * registered anew could be there twice for a reader of all meters, which fails.
   */
  private void register(MultiGauge gauge, ToLongFunction<PartitionStatus> fact) {
    gauge.register(
        current.entrySet().stream()
            .filter(one -> fact.applyAsLong(one.getValue()) >= 0)
            .map(one -> row(one.getKey(), fact))
            .toList());
  }

  private MultiGauge.Row<KafkaMeters> row(Tags partition, ToLongFunction<PartitionStatus> fact) {
    return MultiGauge.Row.of(
        partition,
        this,
        meters -> {
          PartitionStatus status = meters.current.get(partition);
          return status == null ? Double.NaN : fact.applyAsLong(status);
        });
  }

  private static Tags tags(PartitionStatus status) {
    return Tags.of("topic", status.topic(), "partition", Integer.toString(status.partition()));
  }
}
