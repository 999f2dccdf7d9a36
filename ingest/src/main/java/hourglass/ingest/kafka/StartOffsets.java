package hourglass.ingest.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a partition is begun when the group has no offset for it, and where it goes on when the
 * broker has not what the offset asks for. What is no longer there cannot be had; but it is told,
 * and loudly. Used by the poll loop alone.
 */
final class StartOffsets {
  private static final Logger log = LoggerFactory.getLogger(StartOffsets.class);

  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(2);

  private final Consumer<?, ?> consumer;
  private final Map<TopicPartition, PartitionFlow> flows;
  private final KafkaMeters meters;

  /**
   * @param flows of the partitions that are consumed now
   */
  StartOffsets(
      Consumer<?, ?> consumer, Map<TopicPartition, PartitionFlow> flows, KafkaMeters meters) {
    this.consumer = consumer;
    this.flows = flows;
    this.meters = meters;
  }

  /** The group has no offset. */
  void begin(Set<TopicPartition> partitions) {
    log.info("begins at the earliest records of {}: the group has no offset", partitions);
    consumer.seekToBeginning(partitions.stream().filter(this::isOurs).toList());
  }

  /**
   * The broker has no records at these offsets.
   *
   * @param wanted the offset by partition
   */
  void goOnFromEarliest(Map<TopicPartition, Long> wanted) {
    meters.outOfRange(wanted.size());
    Map<TopicPartition, Long> earliest = earliest(wanted.keySet());
    wanted.forEach((partition, offset) -> goOn(partition, offset, earliest.get(partition)));
  }

  private void goOn(TopicPartition partition, long wanted, @Nullable Long earliest) {
    if (earliest == null) {
      log.error("{}: offset {} is out of range; goes on from the earliest", partition, wanted);
      if (isOurs(partition)) {
        startOver(partition);
        consumer.seekToBeginning(List.of(partition));
      }
      return;
    }
    log.error(
        "{}: offset {} is out of range, the earliest is {}: {}; goes on from there",
        partition,
        wanted,
        earliest,
        earliest > wanted
            ? (earliest - wanted) + " records were deleted before they were read"
            : "the topic was cut or made anew");
    if (isOurs(partition)) {
      if (earliest <= wanted) {
        startOver(partition);
      }
      consumer.seek(partition, earliest);
    }
  }

  /** Empty if that cannot be told now. */
  private Map<TopicPartition, Long> earliest(Collection<TopicPartition> of) {
    try {
      return consumer.beginningOffsets(of, ANSWER_TIMEOUT);
    } catch (RetriableException | WakeupException e) {
      return Map.of();
    }
  }

  /**
   * The end of a partition was cut off, as an unclean election does, and may have been written anew
   * since. Records that were read from there are stored; those that took their places are read.
   */
  void goOnBehindCut(LogTruncationException cut) {
    Map<TopicPartition, Long> wanted = cut.offsetOutOfRangePartitions();
    meters.outOfRange(wanted.size());
    wanted.forEach(
        (partition, offset) -> {
          OffsetAndMetadata whole = cut.divergentOffsets().get(partition);
          if (whole == null) {
            goOn(partition, offset, earliest(List.of(partition)).get(partition));
            return;
          }
          log.error(
              "{}: the broker lost records from offset {} on, of which those before {} were read;"
                  + " goes on from {}",
              partition,
              whole.offset(),
              offset,
              whole.offset());
          if (isOurs(partition)) {
            startOver(partition);
            consumer.seek(partition, whole);
          }
        });
  }

  /** What was asked for a while ago may be another's by now. */
  private boolean isOurs(TopicPartition partition) {
    return consumer.assignment().contains(partition);
  }

  private void startOver(TopicPartition partition) {
    PartitionFlow flow = flows.get(partition);
    if (flow != null) {
      flow.startOver();
    }
  }
}
