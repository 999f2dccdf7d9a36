package hourglass.ingest.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.jspecify.annotations.Nullable;

/**
 * The reasons why records are not consumed. Topics, partitions or groups that a broker refuses or
 * cannot read are left alone for a while, so that they do not block all others with an error for
 * each fetch. Used by the poll loop, except for {@link #text}.
 */
final class TopicProblems {
  /** The time of the first check. The client has its first metadata by then. */
  private static final long FIRST_CHECK_NANOS = 5_000_000_000L;

  private static final long CHECK_NANOS = 30_000_000_000L;

  /** The time for all checks together, since each missing topic costs a request to a broker. */
  private static final long ANSWERS_NANOS = 2_000_000_000L;

  private final Consumer<?, ?> consumer;
  private final Map<TopicPartition, PartitionFlow> flows;
  private final KafkaOptions options;

  /** The time after which the client asks again for topics that it may not describe. */
  private final long askNanos;

  private long checkDueNanos = System.nanoTime() + FIRST_CHECK_NANOS;

  /**
   * The configured topics that do not exist. Without a check, a misspelt name looks like an empty
   * topic.
   */
  private List<String> missing = List.of();

  /** The times of the last refusals, by topic. */
  private final Map<String, Long> refusedNanos = new TreeMap<>();

  /** The times of the last failed reads, by partition as text. */
  private final Map<String, Long> brokenNanos = new TreeMap<>();

  private long groupRefusedNanos;
  private boolean isGroupRefused;

  private volatile @Nullable String text;

  TopicProblems(
      Consumer<?, ?> consumer, Map<TopicPartition, PartitionFlow> flows, KafkaOptions options) {
    this.consumer = consumer;
    this.flows = flows;
    this.options = options;
    this.askNanos = ClientSettings.metadataAge(options).toNanos();
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

  void refusedAll() {
    groupRefusedNanos = System.nanoTime();
    isGroupRefused = true;
    publish();
  }

  /** Returns whether the loop must not poll now. */
  boolean areAllRefused(long nowNanos) {
    return isGroupRefused && nowNanos - groupRefusedNanos < askNanos / 10;
  }

  /**
   * Pauses the partition that a failure names, such as one with a damaged batch. Returns false if
   * the failure names none.
   */
  boolean broken(KafkaException failure) {
    String message = String.valueOf(failure.getMessage());
    Optional<TopicPartition> named =
        consumer.assignment().stream()
            .filter(partition -> names(message, partition.toString()))
            .max(Comparator.comparingInt(partition -> partition.toString().length()));
    named.ifPresent(
        partition -> {
          consumer.pause(List.of(partition));
          brokenNanos.put(partition.toString(), System.nanoTime());
          publish();
        });
    return named.isPresent();
  }

  /** Returns whether a text contains a name as a whole word: orders-1 is not orders-10. */
  private static boolean names(String text, String name) {
    return Pattern.compile("(?<![a-zA-Z0-9._-])" + Pattern.quote(name) + "(?![0-9])")
        .matcher(text)
        .find();
  }

  /** Checks for missing topics, and asks again for refused partitions, each if it is due. */
  void update(long nowNanos) {
    if (nowNanos - checkDueNanos >= 0) {
      checkDueNanos = nowNanos + CHECK_NANOS;
      findMissing();
    }
    askAgainIfDue(nowNanos);
    publish();
  }

  void findMissing() {
    long untilNanos = System.nanoTime() + ANSWERS_NANOS;
    missing =
        options.topics().names().stream().filter(topic -> isMissing(topic, untilNanos)).toList();
  }

  /** Returns whether a topic is missing, by the last answer if there is none now. */
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

  /** Resumes refused partitions that are due, and forgets those that were not refused again. */
  private void askAgainIfDue(long nowNanos) {
    for (TopicPartition partition : consumer.assignment()) {
      Long refused = refusedNanos.get(partition.topic());
      Long broken = brokenNanos.get(partition.toString());
      PartitionFlow flow = flows.get(partition);
      if ((refused != null || broken != null)
          && isDue(refused, nowNanos)
          && isDue(broken, nowNanos)
          && (flow == null || !flow.isPaused())) {
        consumer.resume(List.of(partition));
      }
    }
    refusedNanos.values().removeIf(since -> nowNanos - since >= 2 * askNanos);
    brokenNanos.values().removeIf(since -> nowNanos - since >= 2 * askNanos);
    isGroupRefused &= nowNanos - groupRefusedNanos < askNanos;
  }

  private boolean isDue(@Nullable Long since, long nowNanos) {
    return since == null || nowNanos - since >= askNanos;
  }

  void publish() {
    List<String> problems = new ArrayList<>();
    addList(problems, "there is no topic %s", missing);
    if (isGroupRefused) {
      problems.add("the Kafka broker does not allow the group " + options.group());
    }
    addList(problems, "the Kafka broker does not let the group read %s", refusedNanos.keySet());
    addList(problems, "records of %s cannot be read", brokenNanos.keySet());
    addList(
        problems,
        "the store does not take the records of %s",
        flows.values().stream()
            .filter(PartitionFlow::isStuck)
            .map(flow -> flow.partition.toString())
            .sorted()
            .toList());
    text = problems.isEmpty() ? null : String.join("; ", problems);
  }

  private static void addList(List<String> problems, String problem, Collection<String> names) {
    if (!names.isEmpty()) {
      problems.add(problem.replace("%s", String.join(", ", names)));
    }
  }

  /** Returns the problems, for an operator; or null. Thread-safe. */
  @Nullable String text() {
    return text;
  }
}
