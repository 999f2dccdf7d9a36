package hourglass.program.kafka;

import static hourglass.program.kafka.SharedKafka.accepted;
import static hourglass.program.kafka.SharedKafka.awaitCommitted;
import static hourglass.program.kafka.SharedKafka.settings;
import static hourglass.program.kafka.TopicRecords.header;
import static hourglass.program.kafka.TopicRecords.numbered;
import static hourglass.program.kafka.TopicRecords.producer;
import static hourglass.program.kafka.TopicRecords.read;
import static hourglass.program.kafka.TopicRecords.record;
import static hourglass.program.kafka.TopicRecords.send;
import static hourglass.program.kafka.TopicRecords.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.program.ServerProcess;
import hourglass.testing.Tier;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Each kind of record of a real broker, and topics that deny access. */
@Order(8)
@ResourceLock(SharedKafka.LOCK)
@Tag(Tier.IN_FIRST)
class KafkaRecordsIT {
  @TempDir Path folder;

  @Test
  void aBadRecordBecomesADeadLetter() throws Exception {
    String topic = SharedKafka.largeTopic();
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
  @Tag(Tier.IN_FULL)
  void recordsOfEachFormAndCompressionBecomeEvents() throws Exception {
    String topic = SharedKafka.largeTopic();
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

  @Test
  @Tag(Tier.IN_FULL)
  void cloudEventWithoutATimeIsOneEvent() throws Exception {
    String topic = SharedKafka.topic(1);
    byte[] event =
        "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/s\",\"type\":\"untimed\"}".getBytes();
    long first = Instant.parse("2026-11-19T07:59:59Z").toEpochMilli();
    try (ServerProcess server = ServerProcess.start(folder, settings(topic))) {
      for (long millis : List.of(first, first + 2_000, first + 3_600_000)) {
        send(
            List.of(
                header(
                    new ProducerRecord<>(topic, null, millis, null, event),
                    "content-type",
                    "application/cloudevents+json")),
            Map.of());
      }
      awaitCommitted(topic);
      assertThat(accepted(server, topic)).isEqualTo(3);
      assertThat(
              server
                  .get(
                      "/api/v1/events?type=untimed&from=2026-11-19T07&to=2026-11-19T10&format=ndjson")
                  .body()
                  .lines())
          .singleElement()
          .asString()
          .contains("2026-11-19T07:59:59");
    }
  }

  @Test
  @Tag(Tier.IN_FULL)
  void abortedTransactionIsNotRead() throws Exception {
    String topic = SharedKafka.topic(1);
    try (ServerProcess server = ServerProcess.start(folder, settings(topic));
        KafkaProducer<byte[], byte[]> producer = producer(Map.of("transactional.id", topic))) {
      producer.initTransactions();
      for (boolean commits : List.of(true, false, true, false)) {
        producer.beginTransaction();
        numbered(topic, 50).forEach(producer::send);
        if (commits) {
          producer.commitTransaction();
        } else {
          producer.flush();
          producer.abortTransaction();
        }
      }
      awaitCommitted(topic);
      assertThat(accepted(server, topic)).isEqualTo(100);
    }
  }

  @Test
  @Tag(Tier.IN_FULL)
  void deletedDeadLetterTopicIsCreatedAgain() throws Exception {
    String topic = SharedKafka.topic(1);
    String letters = topic + ".rejected";
    try (ServerProcess server = ServerProcess.start(folder, settings(topic))) {
      send(List.of(record(topic, "one".getBytes())), Map.of());
      awaitCommitted(topic);
      assertThat(read(letters, 1)).hasSize(1);
      SharedKafka.admin().deleteTopics(List.of(letters)).all().get();
      await().until(() -> !SharedKafka.admin().listTopics().names().get().contains(letters));
      send(List.of(record(topic, "two".getBytes())), Map.of());
      awaitCommitted(topic);
      assertThat(new String(read(letters, 1).get(0).value())).isEqualTo("two");
      assertThat(server.terminate()).isZero();
    }
  }

  @Test
  @Tag(Tier.IN_FULL)
  void deniedTopicIsReportedAndOthersContinue() throws Exception {
    String open = SharedKafka.topic(1);
    String closed = SharedKafka.topic(1);
    send(numbered(closed, 5), Map.of());
    deny(closed, AclOperation.READ);
    deny(open + ".rejected", AclOperation.ALL);
    try (ServerProcess server =
        ServerProcess.start(
            folder, settings(open, "kafka.topics=[" + open + ", " + closed + "]"))) {
      send(numbered(open, 10), Map.of());
      send(List.of(record(open, "poison".getBytes())), Map.of());
      awaitCommitted(open);
      assertThat(accepted(server, open)).isEqualTo(10);
      assertThat(server.metric("hourglass_kafka_dead_letters_lost_total")).isEqualTo(1);
      await()
          .untilAsserted(
              () ->
                  assertThat(server.get("/health/ready").body())
                      .contains("Kafka")
                      .contains(closed));
      assertThat(server.metric("hourglass_kafka_restarts_total")).isZero();
      allow(closed);
      awaitCommitted(closed, open);
      assertThat(accepted(server, closed)).isEqualTo(5);
      await()
          .untilAsserted(
              () -> assertThat(server.get("/health/ready").body()).doesNotContain(closed));
      assertThat(server.terminate()).isZero();
    }
  }

  private static void deny(String topic, AclOperation operation) throws Exception {
    AclBinding denied =
        new AclBinding(
            new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
            new AccessControlEntry("User:*", "*", operation, AclPermissionType.DENY));
    SharedKafka.admin().createAcls(Set.of(denied)).all().get();
  }

  private static void allow(String topic) throws Exception {
    AclBinding any =
        new AclBinding(
            new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL),
            new AccessControlEntry("User:*", "*", AclOperation.READ, AclPermissionType.DENY));
    SharedKafka.admin().deleteAcls(Set.of(any.toFilter())).all().get();
    // The broker takes the change over after its answer.
    await()
        .ignoreExceptions()
        .until(
            () ->
                !SharedKafka.admin().describeTopics(Set.of(topic)).allTopicNames().get().isEmpty());
  }
}
