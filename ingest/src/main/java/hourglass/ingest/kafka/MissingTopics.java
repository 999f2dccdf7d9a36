package hourglass.ingest.kafka;

import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether configured topics exist: a misspelt name looks like an empty topic. Used by the
 * poll loop, except for {@link #problem}.
 */
final class MissingTopics {
  /** By then the client has its first metadata. */
  private static final long FIRST_CHECK_NANOS = 5_000_000_000L;

  private static final long CHECK_NANOS = 30_000_000_000L;

  /** For all checks together: each missing topic costs a request to a broker. */
  private static final long ANSWERS_NANOS = 2_000_000_000L;

  private final Consumer<?, ?> consumer;
  private final List<String> topics;
  private long dueNanos = System.nanoTime() + FIRST_CHECK_NANOS;
  private volatile List<String> missing = List.of();

  MissingTopics(Consumer<?, ?> consumer, List<String> topics) {
    this.consumer = consumer;
    this.topics = topics;
  }

  void checkIfDue(long nowNanos) {
    if (nowNanos - dueNanos >= 0) {
      dueNanos = nowNanos + CHECK_NANOS;
      check();
    }
  }

  void check() {
    long untilNanos = System.nanoTime() + ANSWERS_NANOS;
    missing = topics.stream().filter(topic -> isMissing(topic, untilNanos)).toList();
  }

  /** The last answer if there is none now. */
  private boolean isMissing(String topic, long untilNanos) {
    long leftNanos = untilNanos - System.nanoTime();
    try {
      return leftNanos > 0
          ? consumer.partitionsFor(topic, Duration.ofNanos(leftNanos)).isEmpty()
          : missing.contains(topic);
    } catch (KafkaException e) { // or woken up to stop
      return missing.contains(topic);
    }
  }

  /** For an operator. Thread-safe. */
  @Nullable String problem() {
    List<String> now = missing;
    return now.isEmpty() ? null : "there is no topic " + String.join(", ", now);
  }
}
