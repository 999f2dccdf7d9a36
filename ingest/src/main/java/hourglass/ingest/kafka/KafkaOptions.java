package hourglass.ingest.kafka;

import hourglass.ingest.decode.FieldMapping;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * What to consume and how. Immutable.
 *
 * @param bootstrapServers as {@code host:port,host:port}
 * @param topics at least one
 * @param group that shares the partitions and remembers how far it is
 * @param consumers how many members of the group this process is
 * @param mappings which fields make an event, by topic; others have {@link FieldMapping#DEFAULT}
 * @param deadLetters where records go that cannot be events
 * @param client settings of the Kafka client, which go before ours
 */
public record KafkaOptions(
    String bootstrapServers,
    TopicSelection topics,
    String group,
    int consumers,
    Map<String, FieldMapping> mappings,
    DeadLetterName deadLetters,
    Map<String, String> client) {

  /** More share what a process has of processors. */
  public static final int CONSUMERS_MAX = 64;

  public KafkaOptions {
    mappings = Map.copyOf(mappings);
    client = Map.copyOf(client);
    if (consumers < 1 || consumers > CONSUMERS_MAX) {
      throw new IllegalArgumentException(
          "consumers: " + consumers + ", want 1 to " + CONSUMERS_MAX);
    }
  }

  /** A setting of the client that may not be set, since a promise rests on ours; or null. */
  public @Nullable String fixedClientSetting() {
    return ClientSettings.fixed(client);
  }

  /** What the client would say of its settings when it is made, or null if it takes them. */
  public @Nullable String clientProblem() {
    try {
      new ConsumerConfig(ClientSettings.consumer(this, 0));
      return null;
    } catch (KafkaException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** Settings of the client that no client of Kafka knows; its plug-ins may. */
  Set<String> unknownClientSettings() {
    Set<String> unknown = new TreeSet<>(client.keySet());
    unknown.removeAll(ConsumerConfig.configNames());
    return unknown;
  }

  /** Whether a topic that is named would take its own dead letters, round and round. */
  public boolean feedsItself() {
    return topics.names().stream().anyMatch(topic -> topic.equals(deadLetters.of(topic)));
  }

  /** Without the settings of the client, which may hold passwords. */
  @Override
  public String toString() {
    return topics + " at " + bootstrapServers;
  }

  FieldMapping mapping(String topic) {
    return mappings.getOrDefault(topic, FieldMapping.DEFAULT);
  }
}
