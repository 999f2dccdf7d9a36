package hourglass.program.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Makes records, sends and reads them, on the shared broker. */
final class TopicRecords {
  private TopicRecords() {}

  static List<ProducerRecord<byte[], byte[]>> numbered(String topic, int count) {
    List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      records.add(new ProducerRecord<>(topic, "{\"n\":%d}".formatted(i).getBytes()));
    }
    return records;
  }

  static ProducerRecord<byte[], byte[]> record(String topic, byte[] value) {
    return new ProducerRecord<>(topic, "key".getBytes(), value);
  }

  static ProducerRecord<byte[], byte[]> header(
      ProducerRecord<byte[], byte[]> record, String name, String value) {
    record.headers().add(name, value.getBytes());
    return record;
  }

  static KafkaProducer<byte[], byte[]> producer(Map<String, String> more) {
    Map<String, Object> settings = new TreeMap<>(more);
    settings.put("bootstrap.servers", SharedKafka.servers());
    settings.put("max.request.size", 4_000_000);
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  static void send(List<ProducerRecord<byte[], byte[]>> records, Map<String, String> more)
      throws Exception {
    try (KafkaProducer<byte[], byte[]> producer = producer(more)) {
      for (var sent : records.stream().map(producer::send).toList()) {
        sent.get();
      }
    }
  }

  /** All records of a topic, which are as many as that. */
  static List<ConsumerRecord<byte[], byte[]>> read(String topic, int count) {
    List<ConsumerRecord<byte[], byte[]>> read = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", SharedKafka.servers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(one -> new TopicPartition(topic, one.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      await()
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

  /** A header as text, or null. */
  static String text(ConsumerRecord<?, ?> record, String header) {
    Header found = record.headers().lastHeader(header);
    return found == null ? null : new String(found.value());
  }
}
