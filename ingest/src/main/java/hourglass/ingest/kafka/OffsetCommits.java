package hourglass.ingest.kafka;

import hourglass.ingest.kafka.KafkaMeters.Count;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits offsets before which everything is stored. After a failed commit, records are only read
 * again. Used by the poll loop alone.
 */
final class OffsetCommits {
  private static final Logger logger = LoggerFactory.getLogger(OffsetCommits.class);

  private static final long INTERVAL_NANOS = 1_000_000_000;
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(2);

  private final Consumer<?, ?> consumer;
  private final Map<TopicPartition, PartitionFlow> flows;
  private final KafkaMeters meters;
  private final TopicProblems problems;
  private long startedNanos = System.nanoTime();
  private boolean underWay;

  /** The last logged failure; empty after a success. */
  private String logged = "";

  OffsetCommits(
      Consumer<?, ?> consumer,
      Map<TopicPartition, PartitionFlow> flows,
      KafkaMeters meters,
      TopicProblems problems) {
    this.consumer = consumer;
    this.flows = flows;
    this.meters = meters;
    this.problems = problems;
  }

  /** Starts a commit if the last one began a while ago. Returns whether it did. */
  boolean startIfDue(long now) {
    boolean isDue = now - startedNanos >= INTERVAL_NANOS;
    if (isDue) {
      startedNanos = now;
      start();
    }
    return isDue;
  }

  private void start() {
    Map<TopicPartition, OffsetAndMetadata> offsets = committable(flows.keySet());
    if (underWay || offsets.isEmpty()) {
      return;
    }
    underWay = true;
    try {
      consumer.commitAsync(
          offsets,
          (same, failure) -> {
            underWay = false;
            ended(offsets, failure);
          });
    } catch (RuntimeException e) { // from another answer received in this call
      underWay = false;
      throw e;
    }
  }

  /** Commits the offsets of partitions that are given up, and waits for the answer. */
  void commitAndWait(Collection<TopicPartition> of) {
    Map<TopicPartition, OffsetAndMetadata> offsets = committable(of);
    if (offsets.isEmpty()) {
      return;
    }
    RuntimeException failure = null;
    try {
      consumer.commitSync(offsets, ANSWER_TIMEOUT);
    } catch (WakeupException e) {
      commitAndWait(of); // to stop; thrown only once
      return;
    } catch (RuntimeException e) {
      failure = e;
    }
    ended(offsets, failure);
  }

  private Map<TopicPartition, OffsetAndMetadata> committable(Collection<TopicPartition> of) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    for (TopicPartition partition : of) {
      PartitionFlow flow = flows.get(partition);
      if (flow != null) {
        flow.committable().ifPresent(offset -> offsets.put(partition, offset));
      }
    }
    return offsets;
  }

  private void ended(Map<TopicPartition, OffsetAndMetadata> offsets, @Nullable Exception failure) {
    Set<String> refused = Set.of();
    if (failure != null) {
      meters.count(Count.COMMIT_FAILURES);
      if (failure instanceof TopicAuthorizationException of) {
        refused = of.unauthorizedTopics(); // the broker committed all others
        problems.refused(of);
      } else if (!failure.toString().equals(logged)) { // it would repeat each second
        logged = failure.toString();
        logger.warn("offsets are not committed: {}", logged);
      }
      if (refused.isEmpty()) {
        return;
      }
    } else {
      logged = "";
    }
    meters.count(Count.COMMITS);
    for (TopicPartition partition : offsets.keySet()) {
      PartitionFlow flow = flows.get(partition);
      if (flow != null && !refused.contains(partition.topic())) {
        flow.committed(offsets.get(partition));
      }
    }
  }
}
