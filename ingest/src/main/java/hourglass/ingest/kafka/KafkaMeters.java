package hourglass.ingest.kafka;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** What operators see of the topics that are consumed. Thread-safe. */
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
  private volatile Map<Tags, PartitionStatus> told = Map.of();

  KafkaMeters(MeterRegistry registry) {
    this.registry = registry;
    commits = counter("commits", "Commits of offsets that the broker took");
    commitFailures = counter("commit.failures", "Commits that failed, and are made anew");
    pauses = counter("pauses", "Times that a partition was paused since too much of it was held");
    retries = counter("retries", "Writes that the store did not take, and are made anew");
    outOfRange =
        counter("out.of.range", "Times that the broker no longer had the records to go on with");
    restarts = counter("restarts", "Times that a consumer failed and was made anew");
    refused = counter("refused", "Records that the store can never take");
    deadLetters = counter("dead.letters", "Records sent to a dead-letter topic");
    deadLettersLost = counter("dead.letters.lost", "Records that could not be sent there");
    lag = gauge("lag", "Records of a partition that are not stored yet");
    held = gauge("held", "Records of a partition that were fetched and are not stored yet");
    paused = gauge("paused", "1 while nothing is fetched of a partition until more is stored");
    committedOffsets = gauge("committed", "The offset that the group would go on from");
  }

  private Counter counter(String name, String description) {
    return Counter.builder("hourglass.kafka." + name).description(description).register(registry);
  }

  private MultiGauge gauge(String name, String description) {
    return MultiGauge.builder("hourglass.kafka." + name)
        .description(description)
        .register(registry);
  }

  /** Counts what became of records of a topic. */
  void records(String topic, String verdict, int count) {
    if (count > 0) {
      Counter.builder("hourglass.kafka.records")
          .description("Records by what became of them")
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

  /** Replaces what is told of the partitions; what is not known of one is left out. */
  void tell(List<PartitionStatus> partitions) {
    told = // of one that goes from one member to another, both may tell for a moment
        partitions.stream()
            .collect(Collectors.toMap(KafkaMeters::tags, status -> status, (left, now) -> now));
    tell(lag, PartitionStatus::lag);
    tell(held, PartitionStatus::held);
    tell(paused, status -> status.paused() ? 1 : 0);
    tell(committedOffsets, PartitionStatus::committed);
  }

  /**
   * A gauge looks its fact up, and stays as long as its partition: one that were made anew each
   * time would now and then be there twice for who reads all meters meanwhile, which fails.
   */
  private void tell(MultiGauge gauge, ToLongFunction<PartitionStatus> fact) {
    gauge.register(
        told.entrySet().stream()
            .filter(one -> fact.applyAsLong(one.getValue()) >= 0)
            .map(one -> row(one.getKey(), fact))
            .toList());
  }

  private MultiGauge.Row<KafkaMeters> row(Tags partition, ToLongFunction<PartitionStatus> fact) {
    return MultiGauge.Row.of(
        partition,
        this,
        meters -> {
          PartitionStatus status = meters.told.get(partition);
          return status == null ? Double.NaN : fact.applyAsLong(status);
        });
  }

  private static Tags tags(PartitionStatus status) {
    return Tags.of("topic", status.topic(), "partition", Integer.toString(status.partition()));
  }
}
