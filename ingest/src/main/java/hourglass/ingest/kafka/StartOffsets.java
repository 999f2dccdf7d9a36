package hourglass.ingest.kafka;

import hourglass.ingest.kafka.KafkaMeters.Count;
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
 * Sets the position of partitions that have no offset in the group, or whose offset the broker
 * lacks. Lost records are logged as errors. Used by the poll loop alone.
 */
record StartOffsets(
    Consumer<?, ?> consumer, Map<TopicPartition, PartitionFlow> flows, KafkaMeters meters) {
  private static final Logger logger = LoggerFactory.getLogger(StartOffsets.class);

  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(2);

  void begin(Set<TopicPartition> partitions) {
    logger.info("starting {} at the earliest records: the group has no offset", partitions);
    partitions.forEach(partition -> seek(partition, null, false));
  }

  void continueAtEarliest(Map<TopicPartition, Long> wanted) {
    meters.count(Count.OUT_OF_RANGE, wanted.size());
    Map<TopicPartition, Long> earliest = earliest(wanted.keySet());
    wanted.forEach((partition, offset) -> continueFrom(partition, offset, earliest.get(partition)));
  }

  private void continueFrom(TopicPartition partition, long wanted, @Nullable Long earliest) {
    if (earliest == null) {
      logger.error("{}: offset {} is out of range; continuing at the earliest", partition, wanted);
      seek(partition, null, true);
      return;
    }
    logger.error(
        "{}: offset {} is out of range, the earliest is {}: {}; continuing there",
        partition,
        wanted,
        earliest,
        earliest > wanted
            ? (earliest - wanted) + " records were deleted before they were read"
            : "the topic was cut or recreated");
    seek(partition, new OffsetAndMetadata(earliest), earliest <= wanted);
  }

  /** Returns the earliest offsets; empty if the broker does not answer. */
  private Map<TopicPartition, Long> earliest(Collection<TopicPartition> of) {
    try {
      return consumer.beginningOffsets(of, ANSWER_TIMEOUT);
    } catch (RetriableException | WakeupException e) {
      return Map.of();
    }
  }

  /**
   * Continues partitions whose end was cut off, as by an unclean election. If other records were
   * written there since, those read before stay stored, and the new ones in their places are read.
   */
  void continueBeforeCut(LogTruncationException cut) {
    Map<TopicPartition, Long> wanted = cut.offsetOutOfRangePartitions();
    meters.count(Count.OUT_OF_RANGE, wanted.size());
    wanted.forEach(
        (partition, offset) -> {
          OffsetAndMetadata whole = cut.divergentOffsets().get(partition);
          if (whole == null) {
            continueFrom(partition, offset, earliest(List.of(partition)).get(partition));
            return;
          }
          logger.error(
              "{}: the broker lost records from offset {} on, and those before {} were read;"
                  + " continuing at {}",
              partition,
              whole.offset(),
              offset,
              whole.offset());
          seek(partition, whole, true);
        });
  }

  /** Seeks an offset, or the earliest record if {@code to} is null. */
  private void seek(
      TopicPartition partition, @Nullable OffsetAndMetadata to, boolean offsetsStartOver) {
    if (!consumer.assignment().contains(partition)) {
      return; // an older request may concern a partition that is another member's now
    }
    PartitionFlow flow = flows.get(partition);
    if (offsetsStartOver && flow != null) {
      flow.startOver();
    }
    if (to == null) {
      consumer.seekToBeginning(List.of(partition));
    } else {
      consumer.seek(partition, to);
    }
  }
}
