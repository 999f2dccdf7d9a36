package hourglass.ingest.kafka;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.List;
import java.util.function.ToLongFunction;

/** What operators see of the topics that are consumed. Thread-safe. */
final class KafkaMeters {
  private final MeterRegistry registry;
  private final Counter commits;
  private final Counter commitFailures;
  private final Counter pauses;
  private final Counter retries;
  private final Counter outOfRange;
  private final Counter restarts;
  private final Counter deadLetters;
  private final Counter deadLettersLost;
  private final MultiGauge lag;
  private final MultiGauge held;
  private final MultiGauge paused;
  private final MultiGauge committedOffsets;

  KafkaMeters(MeterRegistry registry) {
    this.registry = registry;
    commits = counter("commits", "Commits of offsets that the broker took");
    commitFailures = counter("commit.failures", "Commits that failed, and are made anew");
    pauses = counter("pauses", "Times that a partition was paused since too much of it was held");
    retries = counter("retries", "Writes that the store did not take, and are made anew");
    outOfRange =
        counter("out.of.range", "Times that the broker no longer had the records to go on with");
    restarts = counter("restarts", "Times that a consumer failed and was made anew");
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
    tell(lag, partitions, PartitionStatus::lag);
    tell(held, partitions, PartitionStatus::held);
    tell(paused, partitions, status -> status.paused() ? 1 : 0);
    tell(committedOffsets, partitions, PartitionStatus::committed);
  }

  private static void tell(
      MultiGauge gauge, List<PartitionStatus> partitions, ToLongFunction<PartitionStatus> fact) {
    gauge.register(
        partitions.stream()
            .filter(status -> fact.applyAsLong(status) >= 0)
            .map(status -> MultiGauge.Row.of(tags(status), fact.applyAsLong(status)))
            .toList(),
        true);
  }

  private static Tags tags(PartitionStatus status) {
    return Tags.of("topic", status.topic(), "partition", Integer.toString(status.partition()));
  }
}
