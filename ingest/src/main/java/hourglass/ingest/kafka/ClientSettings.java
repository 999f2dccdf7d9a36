package hourglass.ingest.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteBufferDeserializer;
import org.apache.kafka.common.serialization.ByteBufferSerializer;

/** What the Kafka clients are made with: ours, unless the user says otherwise. */
final class ClientSettings {
  /** Those that the promise of one event a record rests on; whoever sets them is told so. */
  private static final Map<String, Object> FIXED =
      Map.of(
          // An offset out of range is to be seen; a group without one begins at the earliest.
          ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
          "none",
          // Only what the store has acknowledged is committed.
          ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
          false);

  /** What the answers of one broker take in memory, in all consumers of this process. */
  private static final int FETCHED_BYTES_MAX = 16 << 20;

  /** New partitions and topics are consumed within that. */
  private static final Duration METADATA_AGE = Duration.ofSeconds(30);

  private static final int FETCHED_BYTES_MIN = 1 << 20;

  private ClientSettings() {}

  /**
   * Those of a member of the group.
   *
   * @param member the number of the consumer in this process, from 0
   */
  static Map<String, Object> consumer(KafkaOptions options, int member) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(CommonClientConfigs.CLIENT_ID_CONFIG, "hourglass-" + member);
    // Decoding is cheap: large polls save turns of the loop. One fills a flight.
    settings.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 20_000);
    // The system's own buffer, which grows as it is needed: fewer and longer reads.
    settings.put(
        CommonClientConfigs.RECEIVE_BUFFER_CONFIG, CommonClientConfigs.RECEIVE_BUFFER_LOWER_BOUND);
    settings.put(
        ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
        Math.max(FETCHED_BYTES_MIN, FETCHED_BYTES_MAX / options.consumers()));
    // A busy broker answers with more at a time; where little comes, it is here within that.
    settings.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1 << 20);
    settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 4 << 20);
    settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100);
    // A record of an aborted transaction is no event.
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(CommonClientConfigs.METADATA_MAX_AGE_CONFIG, METADATA_AGE.toMillis());
    if (!isServerSide(options.client())) {
      settings.put(
          ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
          CooperativeStickyAssignor.class.getName());
    }
    settings.putAll(options.client());
    settings.putAll(FIXED);
    // A topic with a slip in its name is not to be made by looking for it.
    settings.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    for (String ofMember :
        List.of(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, CommonClientConfigs.CLIENT_ID_CONFIG)) {
      String given = options.client().get(ofMember);
      if (given != null) { // two members with one name would push each other out
        settings.put(ofMember, given + "-" + member);
      }
    }
    settings.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, options.bootstrapServers());
    settings.put(CommonClientConfigs.GROUP_ID_CONFIG, options.group());
    // Views of the broker's answer; what is kept of them is copied within the turn of the loop.
    String views = ByteBufferDeserializer.class.getName();
    settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, views);
    settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, views);
    return settings;
  }

  /** After which a client asks for what it knows of topics again. */
  static Duration metadataAge(KafkaOptions options) {
    String given = options.client().get(CommonClientConfigs.METADATA_MAX_AGE_CONFIG);
    return given == null ? METADATA_AGE : Duration.ofMillis(Long.parseLong(given.trim()));
  }

  /** Whether the broker assigns the partitions (KIP-848); then a client has no strategy. */
  private static boolean isServerSide(Map<String, String> client) {
    String protocol = client.getOrDefault(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
    return protocol.toLowerCase(Locale.ROOT).equals("consumer");
  }

  /** Those of the producer of dead letters: the connection's of the user's, and ours. */
  static Map<String, Object> producer(KafkaOptions options) {
    Map<String, Object> settings = connection(options);
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    // A letter may come twice; but no failure is to be the end of the producer.
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, false);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 10_000);
    // Sends to a topic that was deleted fail after that, and only then is it made anew.
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 10_000);
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
    settings.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 8 << 20);
    settings.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, DeadLetter.REQUEST_BYTES_MAX);
    settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteBufferSerializer.class.getName());
    settings.put(
        ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteBufferSerializer.class.getName());
    return settings;
  }

  /** Those of the client that looks for dead-letter topics; its calls take seconds at the most. */
  static Map<String, Object> admin(KafkaOptions options) {
    Map<String, Object> settings = connection(options);
    settings.put(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000);
    settings.put(CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, 5_000);
    return settings;
  }

  private static Map<String, Object> connection(KafkaOptions options) {
    Map<String, Object> settings = new HashMap<>();
    options
        .client()
        .forEach(
            (key, value) -> {
              if (isOfConnection(key)) {
                settings.put(key, value);
              }
            });
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

  /** The first of some client settings that may not be set, or null. */
  static @org.jspecify.annotations.Nullable String fixed(Map<String, String> client) {
    return client.keySet().stream()
        .filter(
            key ->
                FIXED.containsKey(key)
                    || key.equals(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)
                    || key.equals(CommonClientConfigs.GROUP_ID_CONFIG)
                    || key.equals(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG)
                    || key.equals(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG))
        .sorted()
        .findFirst()
        .orElse(null);
  }
}
