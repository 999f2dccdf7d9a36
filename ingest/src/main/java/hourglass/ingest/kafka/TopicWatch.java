package hourglass.ingest.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Looks now and then whether the topics that are named exist: a slip in a name would else look like
 * a topic without records. Used by the poll loop, but for {@link #problem}.
 */
final class TopicWatch {
  /** The client's first metadata has come by then. */
  private static final long FIRST_LOOK_NANOS = 5_000_000_000L;

  private static final long LOOK_NANOS = 30_000_000_000L;

  /** One that does not exist is asked for each time; others are known. */
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(1);

  private final Consumer<?, ?> consumer;
  private final List<String> topics;
  private long dueNanos = System.nanoTime() + FIRST_LOOK_NANOS;
  private volatile List<String> missing = List.of();

  TopicWatch(Consumer<?, ?> consumer, List<String> topics) {
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
    List<String> found = new ArrayList<>();
    try {
      for (String topic : topics) {
        if (consumer.partitionsFor(topic, ANSWER_TIMEOUT).isEmpty()) {
          found.add(topic);
        }
      }
      missing = List.copyOf(found);
    } catch (KafkaException e) {
      // Nobody can tell now: what was known stays.
    }
  }

  /** What is wrong, or null. From any thread. */
  @Nullable String problem() {
    List<String> now = missing;
    return now.isEmpty() ? null : "there is no topic " + String.join(", ", now);
  }
}
