package hourglass.ingest.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteBufferDeserializer;
import org.apache.kafka.common.serialization.ByteBufferSerializer;
import org.jspecify.annotations.Nullable;

/** The settings of the Kafka clients: our defaults, which the user may override. */
final class ClientSettings {
  /**
   * The settings that users may not set, since exactly one event for each record depends on them.
   */
  private static final Set<String> FIXED =
      Set.of(
          ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
          ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
          CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG,
          CommonClientConfigs.GROUP_ID_CONFIG,
          ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
          ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);

  /** The memory for the answers of one broker, in all consumers of this process. */
  private static final int FETCHED_BYTES_MAX = 16 << 20;

  /** The delay until new partitions and topics are consumed. */
  private static final Duration METADATA_AGE = Duration.ofSeconds(30);

  private static final int FETCHED_BYTES_MIN = 1 << 20;

  private ClientSettings() {}

  static Map<String, Object> consumer(KafkaOptions options, int member) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(CommonClientConfigs.CLIENT_ID_CONFIG, "hourglass");
    // Decoding is cheap, so large polls save turns of the loop. One poll fills a flight.
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 20_000);
    // The buffer of the system grows as needed, which makes reads fewer and longer.
    settings.put(
        CommonClientConfigs.RECEIVE_BUFFER_CONFIG, CommonClientConfigs.RECEIVE_BUFFER_LOWER_BOUND);
    settings.put(
        ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
        Math.max(FETCHED_BYTES_MIN, FETCHED_BYTES_MAX / options.consumers()));
    // A busy broker sends more at once; a quiet one answers after the maximal wait.
    settings.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1 << 20);
    settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 4 << 20);
    settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100);
    // Records of aborted transactions are not events.
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(CommonClientConfigs.METADATA_MAX_AGE_CONFIG, METADATA_AGE.toMillis());
    if (!isServerSide(options.client())) {
      settings.put(
          ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
          CooperativeStickyAssignor.class.getName());
    }
    settings.putAll(options.client());
    // The loop handles an offset out of range, and starts a new group at the earliest record.
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    // The loop commits only records that the store has acknowledged.
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    // A misspelt topic must not be created by a lookup.
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    settings.computeIfPresent(
        CommonClientConfigs.CLIENT_ID_CONFIG, (key, name) -> name + "-" + member);
    // Members of one name would expel each other.
    settings.computeIfPresent(
        ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, (key, name) -> name + "-" + member);
    settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, options.bootstrapServers());
    settings.put(CommonClientConfigs.GROUP_ID_CONFIG, options.group());
    // The deserializers return views of the broker's answer; the loop copies them within the same
    // turn.
    String views = ByteBufferDeserializer.class.getName();
    settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, views);
    settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, views);
    return settings;
  }

  static Duration metadataAge(KafkaOptions options) {
    String given = options.client().get(CommonClientConfigs.METADATA_MAX_AGE_CONFIG);
    return given == null ? METADATA_AGE : Duration.ofMillis(Long.parseLong(given.trim()));
  }

  /**
   * Returns whether the broker assigns the partitions (KIP-848), so that the client has no
   * strategy.
   */
  private static boolean isServerSide(Map<String, String> client) {
    String protocol = client.getOrDefault(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
    return protocol.toLowerCase(Locale.ROOT).equals("consumer");
  }

  /**
   * Returns the settings of the producer of dead letters: the user's connection, and our settings.
   */
  static Map<String, Object> producer(KafkaOptions options) {
    Map<String, Object> settings = connection(options);
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    // A dead letter may be duplicated, but no failure may end the producer.
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 10_000);
    // A send to a deleted topic fails after this time, and then the topic is created again.
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 10_000);
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
    settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 8 << 20);
    settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, DeadLetters.REQUEST_BYTES_MAX);
    settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteBufferSerializer.class.getName());
    settings.put(
        ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteBufferSerializer.class.getName());
    return settings;
  }

  /** Returns the settings for checks of dead-letter topics, which last seconds at most. */
  static Map<String, Object> admin(KafkaOptions options) {
    Map<String, Object> settings = connection(options);
    settings.put(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000);
    settings.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
    return settings;
  }

  private static Map<String, Object> connection(KafkaOptions options) {
    Map<String, Object> settings = new HashMap<>(options.client());
    settings.keySet().removeIf(key -> !isOfConnection(key));
    settings.put(CommonClientConfigs.CLIENT_ID_CONFIG, "hourglass-dead-letters");
    settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, options.bootstrapServers());
    return settings;
  }

  private static boolean isOfConnection(String key) {
    return key.startsWith("ssl.")
        || key.startsWith("sasl.")
        || key.equals(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG)
        || key.equals(CommonClientConfigs.CLIENT_DNS_LOOKUP_CONFIG);
  }

  static @Nullable String fixed(Map<String, String> client) {
    NavigableSet<String> fixed = new TreeSet<>(client.keySet());
    fixed.retainAll(FIXED);
    return fixed.pollFirst();
  }
}
