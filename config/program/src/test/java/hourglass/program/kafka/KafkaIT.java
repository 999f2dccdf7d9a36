package hourglass.program.kafka;

import static hourglass.program.kafka.SharedKafka.accepted;
import static hourglass.program.kafka.SharedKafka.awaitCommitted;
import static hourglass.program.kafka.SharedKafka.settings;
import static hourglass.program.kafka.TopicRecords.numbered;
import static hourglass.program.kafka.TopicRecords.read;
import static hourglass.program.kafka.TopicRecords.record;
import static hourglass.program.kafka.TopicRecords.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.MetricsPage;
import hourglass.program.Program;
import hourglass.program.ServerProcess;
import hourglass.program.cassandra.SharedCassandra;
import hourglass.store.sandbox.FrozenProcess;
import hourglass.store.sandbox.KafkaBroker;
import hourglass.testing.FreePorts;
import hourglass.testing.Tier;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.NewPartitions;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Topics of a real broker as a source: each record one event, whatever happens. */
@Order(2)
@ResourceLock(SharedKafka.LOCK)
@Tag(Tier.IN_FIRST)
class KafkaIT {
  private static final int EVENTS = Tier.length(20_000, 100_000, 200_000);
  private static final int KILLS = Tier.length(1, 3, 10);
  private static final Duration BROKER_AWAY = Duration.ofSeconds(Tier.length(2, 20, 20));
  private static final String HOUR = "2026-11-19T05";

  /**
   * Limit for a load on a busy machine, where restarting a broker and members takes a minute or
   * two.
   */
  private static final String PATIENCE = "300s";

  @TempDir Path folder;

  @Test
  void recordsAreEventsOnceDespiteKillsAndResets() throws Exception {
    String topic = SharedKafka.topic(3);
    KafkaBroker broker = SharedKafka.broker();
    String[] settings = settings(topic, "http.port=" + FreePorts.next());
    ServerProcess server = ServerProcess.start(folder, settings);
    try (Program.Running generate = generate(topic, server, "--rate=" + EVENTS / 13)) {
      for (int kill = 0; kill < KILLS; kill++) {
        ServerProcess running = server;
        await().until(() -> accepted(running, topic) > 1_000);
        server.kill();
        server = server.restart();
      }
      broker.stop();
      ServerProcess waiting = server;
      long awayNanos = System.nanoTime();
      awaitReadiness(waiting, ready -> ready.contains("no Kafka broker answers"));
      assertThat(server.get("/health/ready").statusCode()).as("HTTP is served").isEqualTo(200);
      await().until(() -> System.nanoTime() - awayNanos > BROKER_AWAY.toNanos());
      broker.restart();
      SharedKafka.admin().createPartitions(Map.of(topic, NewPartitions.increaseTo(5))).all().get();
      verifies(generate);
      List<String> answers = answers(server);
      server.kill();
      SharedKafka.reset(topic, topic);
      server = server.restart();
      awaitCommitted(topic);
      assertThat(answers(server)).isEqualTo(answers);
      assertThat(server.terminate()).isZero();
      assertThat(server.log()).doesNotContain("BUG");
    } finally {
      server.close();
    }
  }

  @Test
  @Tag(Tier.IN_FULL)
  @ResourceLock(SharedCassandra.LOCK)
  void processesShareATopicDespiteKillsAndFreezes() throws Exception {
    SharedCassandra.empty();
    String topic = SharedKafka.topic(3);
    String[] settings = SharedCassandra.settings(settings(topic, "bucketing.shards=2"));
    ServerProcess one = ServerProcess.start(folder, settings).awaitReady();
    try (ServerProcess other = ServerProcess.start(folder, settings).awaitReady();
        Program.Running generate = generate(topic, other, "--rate=" + EVENTS / 20)) {
      for (int kill = 0; kill < KILLS; kill++) {
        awaitPartitions(one);
        one.kill();
        one = ServerProcess.start(folder, settings).awaitReady();
      }
      awaitPartitions(one);
      ServerProcess frozen = one;
      try (FrozenProcess stopped = FrozenProcess.over(frozen.pid())) {
        // Its partitions are the other's then.
        await().until(() -> SharedKafka.consuming(topic) == 1);
      }
      await().until(() -> frozen.log().contains("are another member's"));
      verifies(generate);
      // Records that were not committed when a partition moved are read again, and change nothing.
      assertThat(accepted(one, topic) + accepted(other, topic)).isPositive();
      assertThat(one.terminate()).isZero();
      assertThat(one.log() + other.log()).doesNotContain("BUG");
    } finally {
      one.close();
    }
  }

  private static void awaitPartitions(ServerProcess server) {
    await().until(() -> server.metrics().contains("\nhourglass_kafka_held{"));
  }

  @Test
  @Tag(Tier.IN_FULL)
  void topicPatternIsConsumedByBrokerAssignment() throws Exception {
    String group = SharedKafka.name("pattern");
    List<String> topics = List.of(group + ".a", group + ".b");
    for (String topic : topics) {
      SharedKafka.createTopic(topic, 2);
    }
    try (ServerProcess server =
        ServerProcess.start(
            folder,
            "kafka.bootstrap-servers=" + SharedKafka.servers(),
            "kafka.topics=[\"/" + group + "\\\\..*/\"]",
            "kafka.group=" + group,
            "kafka.consumers=2",
            "kafka.client={ group.protocol = consumer, metadata.max.age.ms = 1000 }")) {
      String late = group + ".late";
      for (String topic : List.of(topics.get(0), topics.get(1), late)) {
        if (topic.equals(late)) {
          SharedKafka.createTopic(late, 1);
        }
        send(numbered(topic, 300), Map.of());
        send(List.of(record(topic, "poison".getBytes())), Map.of());
        awaitCommitted(topic, group);
        assertThat(accepted(server, topic)).isEqualTo(300);
        assertThat(read(topic + ".rejected", 1)).hasSize(1);
        assertThat(accepted(server, topic + ".rejected")).isZero();
      }
      String of = "{partition=\"0\",topic=\"" + late + "\"}";
      await() // told once a second
          .untilAsserted(
              () ->
                  assertThat(server.metrics())
                      .contains("hourglass_kafka_committed" + of + " 301.0")
                      .contains("hourglass_kafka_lag" + of + " 0.0")
                      .contains("hourglass_kafka_held" + of + " 0.0")
                      .contains("hourglass_kafka_paused" + of + " 0.0"));
      MetricsPage.assertHasAll(server.metrics());
      assertThat(server.terminate()).isZero();
    }
  }

  @Test
  @Tag(Tier.IN_FULL)
  void frozenBrokerIsReportedAndAwaited() throws Exception {
    String topic = SharedKafka.topic(1);
    KafkaBroker broker = SharedKafka.broker();
    try (ServerProcess server = ServerProcess.start(folder, settings(topic))) {
      send(numbered(topic, 10), Map.of());
      awaitCommitted(topic);
      broker.freeze();
      try {
        awaitReadiness(server, ready -> ready.contains("has not answered a heartbeat"));
      } finally {
        broker.thaw();
      }
      awaitReadiness(server, ready -> !ready.contains("heartbeat"));
      send(numbered(topic, 10), Map.of());
      awaitCommitted(topic);
      // A broker that excludes the member for its silence lets it read records twice.
      assertThat(accepted(server, topic)).isGreaterThanOrEqualTo(20);
      assertThat(server.get("/api/v1/events?format=ndjson").body().lines()).hasSize(20);
      assertThat(server.terminate()).isZero();
    }
  }

  private static void awaitReadiness(ServerProcess server, Predicate<String> is) {
    await().until(() -> is.test(server.get("/health/ready").body()));
  }

  private Program.Running generate(String topic, ServerProcess server, String... more)
      throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "load",
                "generate",
                "--target=kafka://" + SharedKafka.servers() + "/" + topic,
                "--query-target=" + server.address(),
                "--group=" + topic,
                "--hour=" + HOUR,
                "--events=" + EVENTS,
                "--batch=1000",
                "--settle=0s",
                "--give-up-after=" + PATIENCE,
                "--verify-exact"));
    arguments.addAll(List.of(more));
    return Program.start(folder, Map.of(), arguments.toArray(String[]::new));
  }

  private static void verifies(Program.Running generate) throws Exception {
    Program.Result result = generate.end();
    assertThat(result.exit()).as(result.out() + result.err()).isZero();
    assertThat(result.out())
        .contains("verified  %,d events expected, %,d read back".formatted(EVENTS, EVENTS));
  }

  private static List<String> answers(ServerProcess server) throws Exception {
    List<String> answers = new ArrayList<>();
    for (String path : List.of("events?limit=all&format=ndjson&", "hits?", "types?")) {
      answers.add(server.get("/api/v1/" + path + "hour=" + HOUR).body());
    }
    return answers;
  }
}
