package hourglass.ingest.kafka;

import hourglass.ingest.decode.FieldMapping;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  /**
   * The form of a server's address that the Kafka client accepts; the part before :// is the
   * protocol of the listener.
   */
  private static final Pattern SERVER =
      Pattern.compile("([A-Za-z0-9_.-]+://)?([A-Za-z0-9._-]+|\\[[0-9A-Za-z:.%_-]+]):([0-9]{1,5})");

  private static final int PORT_MAX = 65_535;

  public KafkaOptions {
    mappings = Map.copyOf(mappings);
    client = Map.copyOf(client);
    if (consumers < 1 || consumers > CONSUMERS_MAX) {
      throw new IllegalArgumentException(
          "consumers: " + consumers + ", want 1 to " + CONSUMERS_MAX);
    }
  }

  /**
   * Returns the servers, which may be none. Throws {@link IllegalArgumentException} if one of them
   * has no host or no port.
   */
  public static String checkedServers(String servers) {
    for (String server : servers.isEmpty() ? new String[0] : servers.split(",", -1)) {
      Matcher matcher = SERVER.matcher(server.trim());
      if (!matcher.matches() || Integer.parseInt(matcher.group(3)) > PORT_MAX) {
        throw new IllegalArgumentException(
            "\"" + server.trim() + "\" is not a broker as 10.0.0.1:9092");
      }
    }
    return servers;
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
