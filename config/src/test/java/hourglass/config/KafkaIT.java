package hourglass.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.store.sandbox.KafkaBroker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** Topics of a real broker as a source: each record one event, whatever happens. */
@TestInstance(Lifecycle.PER_CLASS)
class KafkaIT {
  private static final AtomicInteger NUMBERS = new AtomicInteger();
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int EVENTS = 200_000;
  private static final int KILLS = RandomRun.length(3, 10);
  private static final Duration BROKER_AWAY = Duration.ofSeconds(RandomRun.length(5, 20));
  private static final String HOUR = "2026-11-19T05";

  @TempDir static Path brokerFolder;
  @TempDir Path folder;
  private KafkaBroker broker;
  private Admin admin;

  @BeforeAll
  void start() throws Exception {
    broker = KafkaBroker.start(KafkaBroker.options(brokerFolder));
    admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
  }

  @AfterAll
  void stop() {
    if (broker != null) {
      admin.close();
      broker.close();
    }
  }

  @Test
  void everyRecordIsOneEventWhateverIsKilledStoppedOrReset() throws Exception {
    String topic = topic(3);
    String[] settings = settings(topic, "http.port=" + freePort());
    ServerProcess server = ServerProcess.start(folder, settings);
    try (Program.Running generate = generate(topic, server, "--rate=15000")) {
      for (int kill = 0; kill < KILLS; kill++) {
        ServerProcess running = server;
        await().atMost(PATIENCE).until(() -> accepted(running, topic) > 1_000);
        server.kill();
        server = server.restart();
      }
      broker.stop();
      ServerProcess waiting = server;
      long awayNanos = System.nanoTime();
      await()
          .atMost(PATIENCE)
          .until(() -> waiting.get("/health/ready").body().contains("no Kafka broker answers"));
      assertThat(server.get("/health/ready").statusCode()).as("HTTP is served").isEqualTo(200);
      await().atMost(PATIENCE).until(() -> System.nanoTime() - awayNanos > BROKER_AWAY.toNanos());
      broker.restart();
      broker.addPartitions(topic, 5);
      verifies(generate);
      List<String> answers = answers(server);
      server.kill();
      reset(topic);
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
  void twoProcessesShareATopicIntoCassandra() throws Exception {
    SharedCassandra.empty();
    String topic = topic(3);
    String[] settings = SharedCassandra.settings(settings(topic, "bucketing.shards=2"));
    try (ServerProcess one = SharedCassandra.awaitReady(ServerProcess.start(folder, settings));
        ServerProcess other = SharedCassandra.awaitReady(ServerProcess.start(folder, settings));
        Program.Running generate = generate(topic, one, "--rate=0")) {
      verifies(generate);
      // What was not committed when a partition moved is read again, and changes nothing.
      assertThat(accepted(one, topic) + accepted(other, topic)).isGreaterThanOrEqualTo(EVENTS);
      assertThat(Math.min(accepted(one, topic), accepted(other, topic))).isPositive();
    }
  }

  @Test
  void membersThatTheBrokerAssignsConsumeWhatMatchesAPattern() throws Exception {
    String group = "pattern-" + NUMBERS.incrementAndGet();
    List<String> topics = List.of(group + ".a", group + ".b");
    for (String topic : topics) {
      broker.createTopic(topic, 2);
    }
    try (ServerProcess server =
        ServerProcess.start(
            folder,
            "kafka.bootstrap-servers=" + broker.bootstrapServers(),
            "kafka.topics=[\"/" + group + "\\\\..*/\"]",
            "kafka.group=" + group,
            "kafka.consumers=2",
            "kafka.client={ group.protocol = consumer, metadata.max.age.ms = 1000 }")) {
      String late = group + ".late";
      for (String topic : List.of(topics.get(0), topics.get(1), late)) {
        if (topic.equals(late)) {
          broker.createTopic(late, 1);
        }
        send(records(topic, 300), Map.of());
        send(List.of(record(topic, "poison".getBytes())), Map.of());
        awaitCommitted(topic, group);
        assertThat(accepted(server, topic)).isEqualTo(300);
        assertThat(read(topic + ".rejected", 1)).hasSize(1);
        assertThat(accepted(server, topic + ".rejected")).isZero();
      }
      String of = "{partition=\"0\",topic=\"" + late + "\"}";
      await() // told once a second
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(server.get("/metrics").body())
                      .contains("hourglass_kafka_committed" + of + " 301.0")
                      .contains("hourglass_kafka_lag" + of + " 0.0")
                      .contains("hourglass_kafka_held" + of + " 0.0")
                      .contains("hourglass_kafka_paused" + of + " 0.0"));
      assertThat(server.terminate()).isZero();
    }
  }

  private static List<ProducerRecord<byte[], byte[]>> records(String topic, int count) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      records.add(new ProducerRecord<>(topic, "{\"n\":%d}".formatted(i).getBytes()));
    }
    return records;
  }

  @Test
  void aRecordThatIsNoEventGoesToTheDeadLettersAndStopsNobody() throws Exception {
    String topic = largeTopic();
    byte[] large = ("{\"x\":\"" + "y".repeat(1_500_000) + "\"}").getBytes();
    Map<String, String> poison = new TreeMap<>();
    poison.put("not json", "event: not JSON");
    poison.put("{\"cut\":", "ends too early");
    poison.put("", "event: not JSON");
    poison.put("[{\"a\":1}]", "event: not a JSON object");
    poison.put("7", "event: not a JSON object");
    poison.put("{\"type\":\"" + "t".repeat(2_000) + "\"}", "type: ");
    poison.put("{\"type\":7}", "type: not a string");
    poison.put("{\"time\":\"yesterday\"}", "time: not a time");
    poison.put("{\"time\":\"1999-01-01T00:00:00Z\"}", "outside 2000-2099");
    poison.put("{\"time\":\"2098-01-01T00:00:00Z\"}", "is later than");
    poison.put("{\"a\":".repeat(100) + "1" + "}".repeat(100), "nested deeper");
    poison.put("{\"type\":\"a\",\"type\":\"b\"}", "occurs twice");
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    poison.forEach((value, reason) -> records.add(record(topic, value.getBytes())));
    records.add(record(topic, new byte[] {'{', '"', (byte) 0xff, '"', ':', '1', '}'}));
    records.add(record(topic, large));
    records.add(record(topic, null));
    records.add(
        header(
            record(topic, "{}".getBytes()), "content-type", "application/cloudevents-batch+json"));
    records.add(header(record(topic, "{}".getBytes()), "ce_specversion", "1.0"));
    records.add(record(topic, "{\"good\":1}".getBytes()));
    try (ServerProcess server = ServerProcess.start(folder, settings(topic))) {
      send(records, Map.of());
      awaitCommitted(topic);
      assertThat(accepted(server, topic)).isEqualTo(1);
      assertThat(server.get("/api/v1/rejects").body()).contains("\"total\":" + (poison.size() + 4));
      List<ConsumerRecord<byte[], byte[]>> letters = read(topic + ".rejected", poison.size() + 4);
      Map<String, String> reasons = new TreeMap<>();
      for (ConsumerRecord<byte[], byte[]> letter : letters) {
        assertThat(text(letter, "hourglass.topic")).isEqualTo(topic);
        assertThat(text(letter, "hourglass.partition")).isEqualTo("0");
        assertThat(text(letter, "hourglass.offset")).matches("[0-9]+");
        assertThat(text(letter, "hourglass.time")).startsWith("20");
        reasons.put(new String(letter.value()), text(letter, "hourglass.reason"));
      }
      poison.forEach((value, reason) -> assertThat(reasons.get(value)).as(value).contains(reason));
      ConsumerRecord<byte[], byte[]> cut =
          letters.stream().filter(letter -> letter.value().length > 100_000).findFirst().get();
      assertThat(text(cut, "hourglass.cut-from-bytes")).isEqualTo("" + large.length);
      assertThat(text(cut, "hourglass.reason")).contains(large.length + " bytes, at most 1048576");
    }
  }

  @Test
  void recordsOfEachFormAndCompressionBecomeEvents() throws Exception {
    String topic = largeTopic();
    try (ServerProcess server =
        ServerProcess.start(
            folder,
            settings(
                topic,
                "kafka.mappings={\"" + topic + "\" { type-field = kind, time-field = at }}"))) {
      String at = "\"at\":\"2026-11-19T07:00:00Z\"";
      int number = 0;
      for (String codec : List.of("none", "gzip", "snappy", "lz4", "zstd")) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
          records.add(record(topic, "{\"n\":%d,%s}".formatted(number++, at).getBytes()));
        }
        send(records, Map.of("compression.type", codec, "linger.ms", "50"));
      }
      String pad =
          "z".repeat((1 << 20) - "{\"kind\":\"large\",\"p\":\"\"}".length() - at.length() - 1);
      ProducerRecord<byte[], byte[]> odd = record(topic, "{%s}".formatted(at).getBytes());
      odd.headers().add("content-type", null).add("ce_id", null).add("trace", null);
      ProducerRecord<byte[], byte[]> binary = record(topic, "{\"paid\":7}".getBytes());
      header(binary, "ce_specversion", "1.0");
      header(binary, "ce_id", "größe");
      header(binary, "ce_source", "/shop");
      header(binary, "ce_type", "binary");
      header(binary, "ce_time", "2026-11-19T07:00:01Z");
      header(binary, "content-type", "application/json");
      String event =
          "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"structured\","
              + "\"time\":\"2026-11-19T07:00:02Z\"}";
      send(
          List.of(
              record(topic, "{\"kind\":\"large\",\"p\":\"%s\",%s}".formatted(pad, at).getBytes()),
              odd,
              binary,
              header(
                  record(topic, event.getBytes()),
                  "content-type",
                  "application/cloudevents+json; charset=utf-8")),
          Map.of());
      awaitCommitted(topic);
      assertThat(server.get("/api/v1/rejects").body()).contains("\"total\":0");
      assertThat(server.get("/api/v1/types?hour=2026-11-19T07").body())
          .contains("\"type\":\"" + topic + "\",\"count\":501")
          .contains("\"type\":\"large\",\"count\":1")
          .contains("\"type\":\"binary\",\"count\":1")
          .contains("\"type\":\"structured\",\"count\":1");
      assertThat(server.get("/api/v1/events?type=binary&format=raw&hour=2026-11-19T07").body())
          .contains("\"id\":\"größe\"")
          .contains("\"data\":{\"paid\":7}");
    }
  }

  private String topic(int partitions) throws InterruptedException {
    String topic = "topic-" + NUMBERS.incrementAndGet();
    broker.createTopic(topic, partitions);
    return topic;
  }

  /** Takes records that are larger than an event may be. */
  private String largeTopic() throws Exception {
    String topic = "large-" + NUMBERS.incrementAndGet();
    NewTopic large = new NewTopic(topic, Optional.of(1), Optional.empty());
    admin.createTopics(List.of(large.configs(Map.of("max.message.bytes", "4000000")))).all().get();
    return topic;
  }

  /** The group is the topic's own. */
  private String[] settings(String topic, String... more) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "kafka.bootstrap-servers=" + broker.bootstrapServers(),
                "kafka.topics=[" + topic + "]",
                "kafka.group=" + topic,
                // A process that was killed is missed after that.
                "kafka.client={ session.timeout.ms = 6000, heartbeat.interval.ms = 1000, metadata.max.age.ms = 2000 }"));
    settings.addAll(List.of(more));
    return settings.toArray(String[]::new);
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private Program.Running generate(String topic, ServerProcess server, String... more)
      throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "load",
                "generate",
                "--target=kafka://" + broker.bootstrapServers() + "/" + topic,
                "--query-target=" + server.address(),
                "--group=" + topic,
                "--hour=" + HOUR,
                "--events=" + EVENTS,
                "--batch=1000",
                "--settle=0s",
                "--give-up-after=100s",
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

  private static long accepted(ServerProcess server, String topic) throws Exception {
    String series =
        "hourglass_kafka_records_total{topic=\"%s\",verdict=\"accepted\"} ".formatted(topic);
    return server
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(series))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(series.length())))
        .sum();
  }

  private static List<String> answers(ServerProcess server) throws Exception {
    List<String> answers = new ArrayList<>();
    for (String path : List.of("events?limit=all&format=ndjson&", "hits?", "types?")) {
      answers.add(server.get("/api/v1/" + path + "hour=" + HOUR).body());
    }
    return answers;
  }

  private Map<TopicPartition, Long> offsets(String topic, OffsetSpec spec) throws Exception {
    Map<TopicPartition, OffsetSpec> wanted =
        admin.describeTopics(Set.of(topic)).allTopicNames().get().get(topic).partitions().stream()
            .collect(
                Collectors.toMap(one -> new TopicPartition(topic, one.partition()), one -> spec));
    Map<TopicPartition, Long> offsets = new java.util.HashMap<>();
    admin.listOffsets(wanted).all().get().forEach((at, info) -> offsets.put(at, info.offset()));
    return offsets;
  }

  /** The group begins anew, as soon as it has no member. */
  private void reset(String topic) throws Exception {
    Map<TopicPartition, OffsetAndMetadata> beginning =
        offsets(topic, OffsetSpec.earliest()).entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, e -> new OffsetAndMetadata(e.getValue())));
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(
            () -> {
              admin.alterConsumerGroupOffsets(topic, beginning).all().get();
              return true;
            });
  }

  /** Everything of a topic is stored, or refused and sent on. */
  private void awaitCommitted(String topic) throws Exception {
    awaitCommitted(topic, topic);
  }

  private void awaitCommitted(String topic, String group) throws Exception {
    Map<TopicPartition, Long> ends = offsets(topic, OffsetSpec.latest());
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              var committed =
                  admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
              return ends.entrySet().stream()
                  .allMatch(
                      end ->
                          end.getValue() == 0
                              || committed.get(end.getKey()) != null
                                  && committed.get(end.getKey()).offset() == end.getValue());
            });
  }

  private static ProducerRecord<byte[], byte[]> record(String topic, byte[] value) {
    return new ProducerRecord<>(topic, "key".getBytes(), value);
  }

  private static ProducerRecord<byte[], byte[]> header(
      ProducerRecord<byte[], byte[]> record, String name, String value) {
    record.headers().add(name, value.getBytes());
    return record;
  }

  private void send(List<ProducerRecord<byte[], byte[]>> records, Map<String, String> more)
      throws Exception {
    Map<String, Object> settings = new TreeMap<>(more);
    settings.put("bootstrap.servers", broker.bootstrapServers());
    settings.put("max.request.size", 4_000_000);
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (var sent : records.stream().map(producer::send).toList()) {
        sent.get();
      }
    }
  }

  private List<ConsumerRecord<byte[], byte[]>> read(String topic, int count) {
    List<ConsumerRecord<byte[], byte[]>> read = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", broker.bootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(one -> new TopicPartition(topic, one.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      await()
          .atMost(PATIENCE)
          .pollInSameThread()
          .until(
              () -> {
                consumer.poll(Duration.ofMillis(200)).forEach(read::add);
                return read.size() >= count;
              });
    }
    assertThat(read).hasSize(count);
    return read;
  }

  private static String text(ConsumerRecord<?, ?> record, String header) {
    Header found = record.headers().lastHeader(header);
    return found == null ? null : new String(found.value());
  }
}
