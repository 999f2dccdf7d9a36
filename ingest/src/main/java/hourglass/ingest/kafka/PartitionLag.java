package hourglass.ingest.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * How far behind partitions are. The client knows it from what it fetches; of partitions that are
 * paused, which are those that fall behind, the broker is asked now and then. Used by the poll loop
 * alone.
 */
final class PartitionLag {
  static final long UNKNOWN = -1;

  private static final long ASK_NANOS = 5_000_000_000L;

  /** The loop stands still that long at the most; its members stay members for much longer. */
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(1);

  private final Consumer<?, ?> consumer;
  private final Map<TopicPartition, Long> ends = new HashMap<>();
  private long dueNanos = System.nanoTime();

  PartitionLag(Consumer<?, ?> consumer) {
    this.consumer = consumer;
  }

  /**
   * Asks where these end, if that is due.
   *
   * @param paused all that are paused now
   */
  void askIfDue(List<TopicPartition> paused, long nowNanos) {
    ends.keySet().retainAll(paused);
    if (paused.isEmpty() || nowNanos - dueNanos < 0) {
      return;
    }
    dueNanos = nowNanos + ASK_NANOS;
    try {
      ends.putAll(consumer.endOffsets(paused, ANSWER_TIMEOUT));
    } catch (KafkaException e) { // also if it was woken up, to stop
      ends.clear();
    }
  }

  /** What the broker has and was not fetched, and what was fetched and is not stored. */
  long of(PartitionFlow flow) {
    try {
      Long end = ends.get(flow.partition());
      long behind =
          end == null
              ? consumer.currentLag(flow.partition()).orElse(UNKNOWN)
              : end - consumer.position(flow.partition());
      return behind < 0 ? UNKNOWN : behind + flow.held();
    } catch (IllegalStateException e) { // not assigned any more
      return UNKNOWN;
    }
  }
}
