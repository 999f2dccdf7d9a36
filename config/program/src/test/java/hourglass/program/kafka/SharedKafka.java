package hourglass.program.kafka;

import static org.awaitility.Awaitility.await;

import hourglass.config.cli.TemporaryFolder;
import hourglass.config.server.Parts;
import hourglass.program.ServerProcess;
import hourglass.store.sandbox.KafkaBroker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;

/**
 * A real broker, started when a test first wants it, for all tests of this JVM; they follow one
 * another, each with topics of its own. It asks for access lists, and allows what has none.
 */
final class SharedKafka {
  /** Held by the class of tests that uses it. */
  static final String LOCK = "Kafka";

  private static final AtomicInteger NUMBERS = new AtomicInteger();
  private static final Parts PARTS = new Parts();
  private static final KafkaBroker BROKER = start();
  private static final Admin ADMIN =
      PARTS.add(Admin.create(Map.of("bootstrap.servers", BROKER.bootstrapServers())));

  private SharedKafka() {}

  private static KafkaBroker start() {
    Runtime.getRuntime().addShutdownHook(new Thread(PARTS::close));
    try {
      return PARTS.add(
          KafkaBroker.start(
              PARTS.add(TemporaryFolder.create("shared-kafka")).path(),
              Map.of(
                  "authorizer.class.name",
                  "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                  "allow.everyone.if.no.acl.found",
                  "true")));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  static KafkaBroker broker() {
    return BROKER;
  }

  static Admin admin() {
    return ADMIN;
  }

  static String servers() {
    return BROKER.bootstrapServers();
  }

  /** A name that no other test has. */
  static String name(String kind) {
    return kind + "-" + NUMBERS.incrementAndGet();
  }

  static void createTopic(String name, int partitions) throws Exception {
    NewTopic topic = new NewTopic(name, Optional.of(partitions), Optional.empty());
    ADMIN.createTopics(List.of(topic)).all().get();
  }

  static String topic(int partitions) throws Exception {
    String topic = name("topic");
    createTopic(topic, partitions);
    return topic;
  }

  /** Takes records that are larger than an event may be. */
  static String largeTopic() throws Exception {
    String topic = name("large");
    NewTopic large = new NewTopic(topic, Optional.of(1), Optional.empty());
    ADMIN.createTopics(List.of(large.configs(Map.of("max.message.bytes", "4000000")))).all().get();
    return topic;
  }

  /** Settings to consume a topic, with a group of that name, and more of a test's own. */
  static String[] settings(String topic, String... more) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "kafka.bootstrap-servers=" + servers(),
                "kafka.topics=[" + topic + "]",
                "kafka.group=" + topic,
                // A process that was killed is missed after that.
                "kafka.client={ session.timeout.ms = 6000, heartbeat.interval.ms = 1000, metadata.max.age.ms = 2000 }"));
    settings.addAll(List.of(more));
    return settings.toArray(String[]::new);
  }

  /** How many records of a topic became events in this process since its start. */
  static long accepted(ServerProcess server, String topic) throws Exception {
    String series =
        "hourglass_kafka_records_total{topic=\"%s\",verdict=\"accepted\"} ".formatted(topic);
    return server
        .metrics()
        .lines()
        .filter(line -> line.startsWith(series))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(series.length())))
        .sum();
  }

  /** How many members of a group have partitions; -1 while it is about to deal them out. */
  static int consuming(String group) throws Exception {
    ConsumerGroupDescription described =
        ADMIN.describeConsumerGroups(List.of(group)).describedGroups().get(group).get();
    if (described.groupState() != GroupState.STABLE) {
      return -1;
    }
    return (int)
        described.members().stream()
            .filter(member -> !member.assignment().topicPartitions().isEmpty())
            .count();
  }

  private static Map<TopicPartition, Long> offsets(String topic, OffsetSpec spec) throws Exception {
    Map<TopicPartition, OffsetSpec> wanted =
        ADMIN.describeTopics(Set.of(topic)).allTopicNames().get().get(topic).partitions().stream()
            .collect(
                Collectors.toMap(one -> new TopicPartition(topic, one.partition()), one -> spec));
    Map<TopicPartition, Long> offsets = new HashMap<>();
    ADMIN.listOffsets(wanted).all().get().forEach((at, info) -> offsets.put(at, info.offset()));
    return offsets;
  }

  /** A group begins a topic anew, as soon as it has no member. */
  static void reset(String topic, String group) throws Exception {
    Map<TopicPartition, OffsetAndMetadata> beginning =
        offsets(topic, OffsetSpec.earliest()).entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, e -> new OffsetAndMetadata(e.getValue())));
    await()
        .ignoreExceptions()
        .until(
            () -> {
              ADMIN.alterConsumerGroupOffsets(group, beginning).all().get();
              return true;
            });
  }

  /** Waits until everything of a topic is stored, or refused and sent on. */
  static void awaitCommitted(String topic, String group) throws Exception {
    Map<TopicPartition, Long> ends = offsets(topic, OffsetSpec.latest());
    await()
        .until(
            () -> {
              var committed =
                  ADMIN.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
              return ends.entrySet().stream()
                  .allMatch(
                      end ->
                          end.getValue() == 0
                              || committed.get(end.getKey()) != null
                                  // the marker of a transaction may be behind it
                                  && committed.get(end.getKey()).offset() >= end.getValue());
            });
  }

  /** Waits like {@link #awaitCommitted(String, String)} for the group with the topic's name. */
  static void awaitCommitted(String topic) throws Exception {
    awaitCommitted(topic, topic);
  }
}
