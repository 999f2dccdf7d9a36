package hourglass.ingest.kafka;

import hourglass.ingest.decode.FieldMapping;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the Kafka source. Immutable.
 *
 * @param bootstrapServers servers in the form {@code host:port,host:port}
 * @param mappings the fields by topic; default {@link FieldMapping#DEFAULT}
 * @param client settings of the Kafka client, which override ours
 */
public record KafkaOptions(
    String bootstrapServers,
    TopicSelection topics,
    String group,
    int consumers,
    Map<String, FieldMapping> mappings,
    DeadLetterName deadLetters,
    Map<String, String> client) {

  /** The most consumers. More would only share the processors of one process. */
  public static final int CONSUMERS_MAX = 64;

  public KafkaOptions {
    mappings = Map.copyOf(mappings);
    client = Map.copyOf(client);
    if (consumers < 1 || consumers > CONSUMERS_MAX) {
      throw new IllegalArgumentException(
          "consumers: " + consumers + ", want 1 to " + CONSUMERS_MAX);
    }
  }

  /** Returns the first client setting that users may not set, or null. */
  public @Nullable String fixedClientSetting() {
    return ClientSettings.fixed(client);
  }

  /** Returns the client's complaint about its settings, or null. */
  public @Nullable String clientProblem() {
    try {
      new ConsumerConfig(ClientSettings.consumer(this, 0));
      return null;
    } catch (KafkaException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** Returns the settings that Kafka's clients do not know, but perhaps their plug-ins do. */
  Set<String> unknownClientSettings() {
    Set<String> unknown = new TreeSet<>(client.keySet());
    unknown.removeAll(ConsumerConfig.configNames());
    return unknown;
  }

  /** Returns whether a topic would consume its own dead letters. */
  public boolean feedsItself() {
    return topics.names().stream().anyMatch(topic -> topic.equals(deadLetters.of(topic)));
  }

  /** Returns topics and servers, without the client's settings, which may contain passwords. */
  @Override
  public String toString() {
    return topics + " at " + bootstrapServers;
  }

  FieldMapping mapping(String topic) {
    return mappings.getOrDefault(topic, FieldMapping.DEFAULT);
  }
}
