package hourglass.config.settings;

import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.kafka.DeadLetterName;
import hourglass.ingest.kafka.KafkaOptions;
import hourglass.ingest.kafka.TopicSelection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

final class KafkaSettings {
  static final SettingGroup ALL = new SettingGroup("kafka");

  private static final String OFF = "off";

  private static final Setting<String> BOOTSTRAP_SERVERS =
      ALL.key("bootstrap-servers", KafkaKinds.brokers(), "")
          .about(
              "Brokers of Apache Kafka to begin with; the others are learnt from them. The ingest role"
                  + " consumes the topics below.");
  private static final Setting<TopicSelection> TOPICS =
      ALL.key("topics", Kinds.topics(), new TopicSelection(List.of()))
          .about(
              "Topics to consume, from their earliest records on. A pattern stands between slashes, and"
                  + " matches no dead-letter topic.");
  private static final Setting<String> GROUP =
      ALL.key("group", Kinds.text("a name"), "hourglass")
          .about("The consumer group. All processes of a group share the partitions.");
  private static final Setting<Integer> CONSUMERS =
      ALL.key("consumers", Kinds.count(1, KafkaOptions.CONSUMERS_MAX), 1)
          .about(
              "Members of the group that this process is, a thread each. One decodes what a processor"
                  + " can.");
  private static final Setting<String> DEAD_LETTER =
      ALL.key(
              "dead-letter",
              Kinds.or(
                  OFF, OFF, Kinds.text("a topic's name, in which {topic} is that of the record")),
              String.valueOf(DeadLetterName.DEFAULT.template()))
          .about(
              "The topic that takes the records of which no event can be made, with the reason in a"
                  + " header. off: they are in the ledger of rejects alone.");
  private static final Setting<Map<String, FieldMapping>> MAPPINGS =
      ALL.key("mappings", KafkaKinds.mappings(), Map.of())
          .about(
              "Which fields of a record make it an event, by topic, as the query parameters do over"
                  + " HTTP. Without: type, time and id.");
  private static final Setting<Map<String, String>> CLIENT =
      ALL.key("client", KafkaKinds.client(), Map.of())
          .about(
              "Any other settings of the Kafka consumer. Those of the connection (security.protocol,"
                  + " ssl.*, sasl.*) hold for dead letters too. group.protocol = consumer leaves the"
                  + " assignment of partitions to the broker.");

  private KafkaSettings() {}

  /** Reads the options of Kafka. Returns null if there are no brokers to consume from. */
  static @Nullable KafkaOptions read(SettingsReader reader) {
    String servers = reader.get(BOOTSTRAP_SERVERS);
    TopicSelection topics = reader.get(TOPICS);
    DeadLetterName deadLetters = deadLetters(reader);
    KafkaOptions options =
        new KafkaOptions(
            servers,
            topics,
            reader.get(GROUP),
            reader.get(CONSUMERS),
            reader.get(MAPPINGS),
            deadLetters,
            reader.get(CLIENT));
    if (!servers.isEmpty() && topics.texts().isEmpty()) {
      reader.refuse(TOPICS, "at least one topic where there are kafka.bootstrap-servers");
    }
    if (servers.isEmpty() && !topics.texts().isEmpty()) {
      reader.refuse(BOOTSTRAP_SERVERS, "brokers where there are kafka.topics");
    }
    if (options.feedsItself()) {
      reader.refuse(DEAD_LETTER, "a topic that is not among kafka.topics");
    }
    String fixed = options.fixedClientSetting();
    if (fixed != null) {
      reader.add(
          "kafka.client."
              + fixed
              + ": not allowed; Hourglass sets it, since its promises rest on it");
    }
    String problem = servers.isEmpty() || fixed != null ? null : options.clientProblem();
    if (problem != null) {
      reader.add("kafka.client: " + problem);
    }
    return servers.isEmpty() ? null : options;
  }

  private static DeadLetterName deadLetters(SettingsReader reader) {
    String text = reader.get(DEAD_LETTER);
    try {
      return text.equals(OFF) ? DeadLetterName.OFF : new DeadLetterName(text);
    } catch (IllegalArgumentException e) {
      reader.refuse(DEAD_LETTER, OFF + ", or a name with {topic} in it, as {topic}.rejected");
      return DeadLetterName.DEFAULT;
    }
  }
}
