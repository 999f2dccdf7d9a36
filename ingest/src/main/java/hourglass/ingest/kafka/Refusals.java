package hourglass.ingest.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;

/**
 * Topics that a broker does not let the group read: told, and left alone for a while, so that the
 * others need not wait behind one error a fetch. Used by the poll loop, but for {@link #problem}.
 */
final class Refusals {
  private final Consumer<?, ?> consumer;
  private final Map<TopicPartition, PartitionFlow> flows;
  private final long askNanos;

  /** When it was last refused, by topic. */
  private final Map<String, Long> refusedNanos = new TreeMap<>();

  private volatile @Nullable String problem;

  /**
   * @param flows of the partitions that are consumed now
   * @param metadataAge after which the client asks again for topics that it may not even describe
   */
  Refusals(
      Consumer<?, ?> consumer, Map<TopicPartition, PartitionFlow> flows, Duration metadataAge) {
    this.consumer = consumer;
    this.flows = flows;
    this.askNanos = metadataAge.toNanos();
  }

  void refused(TopicAuthorizationException refusal) {
    long now = System.nanoTime();
    for (String topic : refusal.unauthorizedTopics()) {
      refusedNanos.put(topic, now);
      consumer.assignment().stream()
          .filter(partition -> partition.topic().equals(topic))
          .forEach(partition -> consumer.pause(List.of(partition)));
    }
    tell();
  }

  /** Asks for topics again, and forgets those that were asked for and not refused since. */
  void askAgainIfDue(long nowNanos) {
    if (refusedNanos.isEmpty()) {
      return;
    }
    for (TopicPartition partition : consumer.assignment()) {
      PartitionFlow flow = flows.get(partition);
      Long since = refusedNanos.get(partition.topic());
      if (since != null && nowNanos - since >= askNanos && (flow == null || !flow.isPaused())) {
        consumer.resume(List.of(partition));
      }
    }
    refusedNanos.values().removeIf(since -> nowNanos - since >= 2 * askNanos);
    tell();
  }

  private void tell() {
    problem =
        refusedNanos.isEmpty()
            ? null
            : "the Kafka broker does not let the group read "
                + String.join(", ", refusedNanos.keySet());
  }

  /** What is wrong, or null. From any thread. */
  @Nullable String problem() {
    return problem;
  }
}
