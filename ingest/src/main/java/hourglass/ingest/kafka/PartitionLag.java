package hourglass.ingest.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * The lag of partitions. The client knows it for those that it fetches; for paused ones the broker
 * is asked. Used by the poll loop alone.
 */
final class PartitionLag {
  static final long UNKNOWN = -1;

  private static final long ASK_NANOS = 5_000_000_000L;

  /** The longest stall of the loop; much less than the session timeout. */
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(1);

  private final Consumer<?, ?> consumer;
  private final Map<TopicPartition, Long> ends = new HashMap<>();
  private long dueNanos = System.nanoTime();

  PartitionLag(Consumer<?, ?> consumer) {
    this.consumer = consumer;
  }

  void askIfDue(List<TopicPartition> paused, long nowNanos) {
    ends.keySet().retainAll(paused);
    if (paused.isEmpty() || nowNanos - dueNanos < 0) {
      return;
    }
    dueNanos = nowNanos + ASK_NANOS;
    try {
      ends.putAll(consumer.endOffsets(paused, ANSWER_TIMEOUT));
    } catch (KafkaException e) { // or woken up to stop
      ends.clear();
    }
  }

  /** Includes records in memory that are not stored. */
  long of(PartitionFlow flow) {
    try {
      Long end = ends.get(flow.partition());
      long behind =
          end == null
              ? consumer.currentLag(flow.partition()).orElse(UNKNOWN)
              : end - consumer.position(flow.partition());
      return behind < 0 ? UNKNOWN : behind + flow.held();
    } catch (IllegalStateException e) { // no longer assigned
      return UNKNOWN;
    }
  }
}
