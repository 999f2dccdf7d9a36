package hourglass.ingest.kafka;

import java.time.Duration;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Looks now and then whether the topics that are named exist: a slip in a name would else look like
 * a topic without records. Used by the poll loop, but for {@link #problem}.
 */
final class MissingTopics {
  /** The client's first metadata has come by then. */
  private static final long FIRST_LOOK_NANOS = 5_000_000_000L;

  private static final long LOOK_NANOS = 30_000_000_000L;

  /** For all: who is asked for one that does not exist is a broker, each time. */
  private static final long ANSWERS_NANOS = 2_000_000_000L;

  private final Consumer<?, ?> consumer;
  private final List<String> topics;
  private long dueNanos = System.nanoTime() + FIRST_LOOK_NANOS;
  private volatile List<String> missing = List.of();

  MissingTopics(Consumer<?, ?> consumer, List<String> topics) {
    this.consumer = consumer;
    this.topics = topics;
  }

  void lookIfDue(long nowNanos) {
    if (nowNanos - dueNanos >= 0) {
      dueNanos = nowNanos + LOOK_NANOS;
      look();
    }
  }

  void look() {
    long untilNanos = System.nanoTime() + ANSWERS_NANOS;
    missing = topics.stream().filter(topic -> isMissing(topic, untilNanos)).toList();
  }

  /** Of a topic of which nobody can tell now, what was known stays. */
  private boolean isMissing(String topic, long untilNanos) {
    long leftNanos = untilNanos - System.nanoTime();
    try {
      return leftNanos > 0
          ? consumer.partitionsFor(topic, Duration.ofNanos(leftNanos)).isEmpty()
          : missing.contains(topic);
    } catch (KafkaException e) { // also if it was woken up, to stop
      return missing.contains(topic);
    }
  }

  /** What is wrong, or null. From any thread. */
  @Nullable String problem() {
    List<String> now = missing;
    return now.isEmpty() ? null : "there is no topic " + String.join(", ", now);
  }
}
