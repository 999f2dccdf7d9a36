package hourglass.ingest.kafka;

import hourglass.ingest.kafka.KafkaMeters.PartitionStatus;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * The progress of partitions. The client knows the lag of those that it fetches; the broker is
 * asked about paused ones. Used by the poll loop, except for {@link #status}.
 */
final class PartitionProgress {
  private static final long UNKNOWN = -1;

  private static final long ASK_NANOS = 5_000_000_000L;

  /** The longest stall of the loop, much less than the session timeout. */
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(1);

  private final Consumer<?, ?> consumer;
  private final Map<TopicPartition, PartitionFlow> flows;
  private final Map<TopicPartition, Long> ends = new HashMap<>();
  private long dueNanos = System.nanoTime();
  private volatile List<PartitionStatus> status = List.of();

  PartitionProgress(Consumer<?, ?> consumer, Map<TopicPartition, PartitionFlow> flows) {
    this.consumer = consumer;
    this.flows = flows;
  }

  void update(long nowNanos) {
    List<TopicPartition> paused =
        flows.values().stream()
            .filter(PartitionFlow::isPaused)
            .map(flow -> flow.partition)
            .toList();
    ends.keySet().retainAll(paused);
    if (!paused.isEmpty() && nowNanos - dueNanos >= 0) {
      dueNanos = nowNanos + ASK_NANOS;
      try {
        ends.putAll(consumer.endOffsets(paused, ANSWER_TIMEOUT));
      } catch (KafkaException e) { // or woken up to stop
        ends.clear();
      }
    }
    publish();
  }

  void publish() {
    status =
        flows.values().stream()
            .map(
                flow ->
                    new PartitionStatus(
                        flow.partition.topic(),
                        flow.partition.partition(),
                        flow.committedOffset(),
                        lag(flow),
                        flow.held(),
                        flow.isPaused()))
            .toList();
  }

  /** Returns the lag, which includes records in memory that are not stored. */
  private long lag(PartitionFlow flow) {
    try {
      Long end = ends.get(flow.partition);
      long behind =
          end == null
              ? consumer.currentLag(flow.partition).orElse(UNKNOWN)
              : end - consumer.position(flow.partition);
      return behind < 0 ? UNKNOWN : behind + flow.held();
    } catch (IllegalStateException e) { // no longer assigned
      return UNKNOWN;
    }
  }

  /** Returns the progress about a second ago. Thread-safe. */
  List<PartitionStatus> status() {
    return status;
  }
}
