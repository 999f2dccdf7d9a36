package hourglass.ingest.kafka;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.util.List;

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
    lag =
        MultiGauge.builder("hourglass.kafka.lag")
            .description("Records of a partition that are not stored yet")
            .register(registry);
  }

  private Counter counter(String name, String description) {
    return Counter.builder("hourglass.kafka." + name).description(description).register(registry);
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

  /** Replaces what is told of the partitions. */
  void lag(List<PartitionStatus> partitions) {
    lag.register(
        partitions.stream()
            .filter(status -> status.lag() >= 0)
            .map(
                status ->
                    MultiGauge.Row.of(
                        Tags.of(
                            "topic",
                            status.topic(),
                            "partition",
                            Integer.toString(status.partition())),
                        status.lag()))
            .toList(),
        true);
  }
}
