package hourglass.ingest.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;

/**
 * Topics, partitions or groups that a broker refuses or cannot read. They are left alone for a
 * while, so that they do not block all others with an error for each fetch. Used by the poll loop,
 * except for {@link #problem}.
 */
final class BrokerRefusals {
  private final Consumer<?, ?> consumer;
  private final Map<TopicPartition, PartitionFlow> flows;
  private final String group;
  private final long askNanos;

  /** Of the last refusal, by topic. */
  private final Map<String, Long> refusedNanos = new TreeMap<>();

  /** Of the last failed read, by partition as text. */
  private final Map<String, Long> brokenNanos = new TreeMap<>();

  private long groupRefusedNanos;
  private boolean isGroupRefused;

  private volatile @Nullable String problem;

  /** The client asks again for topics that it may not describe each {@code metadataAge}. */
  BrokerRefusals(
      Consumer<?, ?> consumer,
      Map<TopicPartition, PartitionFlow> flows,
      String group,
      Duration metadataAge) {
    this.consumer = consumer;
    this.flows = flows;
    this.group = group;
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
    publish();
  }

  void refusedAll(AuthorizationException refusal) {
    groupRefusedNanos = System.nanoTime();
    isGroupRefused = true;
    publish();
  }

  /** Whether the loop must not poll now. */
  boolean areAllRefused(long nowNanos) {
    return isGroupRefused && nowNanos - groupRefusedNanos < askNanos / 10;
  }

  /** Finds the partition that a failure names, such as a damaged batch; false if it names none. */
  boolean broken(KafkaException failure) {
    String text = String.valueOf(failure.getMessage());
    TopicPartition named = null;
    for (TopicPartition partition : consumer.assignment()) {
      if (names(text, partition.toString())
          && (named == null || named.toString().length() < partition.toString().length())) {
        named = partition;
      }
    }
    if (named == null) {
      return false;
    }
    consumer.pause(List.of(named));
    brokenNanos.put(named.toString(), System.nanoTime());
    publish();
    return true;
  }

  /** As a whole word: orders-1 is not orders-10. */
  private static boolean names(String text, String name) {
    for (int at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
      int end = at + name.length();
      boolean ends = end == text.length() || !Character.isDigit(text.charAt(end));
      boolean begins = at == 0 || !isOfName(text.charAt(at - 1));
      if (begins && ends) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOfName(char c) {
    return Character.isLetterOrDigit(c) || c == '-' || c == '_' || c == '.';
  }

  /** Resumes refused partitions that are due, and forgets those that were not refused again. */
  void askAgainIfDue(long nowNanos) {
    if (problem == null) {
      return;
    }
    for (TopicPartition partition : consumer.assignment()) {
      PartitionFlow flow = flows.get(partition);
      boolean isRefused =
          refusedNanos.containsKey(partition.topic())
              || brokenNanos.containsKey(partition.toString());
      if (isRefused
          && isDue(refusedNanos.get(partition.topic()), nowNanos)
          && isDue(brokenNanos.get(partition.toString()), nowNanos)
          && (flow == null || !flow.isPaused())) {
        consumer.resume(List.of(partition));
      }
    }
    refusedNanos.values().removeIf(since -> nowNanos - since >= 2 * askNanos);
    brokenNanos.values().removeIf(since -> nowNanos - since >= 2 * askNanos);
    isGroupRefused &= nowNanos - groupRefusedNanos < askNanos;
    publish();
  }

  private boolean isDue(@Nullable Long since, long nowNanos) {
    return since == null || nowNanos - since >= askNanos;
  }

  private void publish() {
    List<String> problems = new ArrayList<>();
    if (isGroupRefused) {
      problems.add("the Kafka broker does not allow the group " + group);
    }
    if (!refusedNanos.isEmpty()) {
      problems.add(
          "the Kafka broker does not let the group read "
              + String.join(", ", refusedNanos.keySet()));
    }
    if (!brokenNanos.isEmpty()) {
      problems.add("records of " + String.join(", ", brokenNanos.keySet()) + " cannot be read");
    }
    problem = problems.isEmpty() ? null : String.join("; ", problems);
  }

  /** For an operator. Thread-safe. */
  @Nullable String problem() {
    return problem;
  }
}
