package hourglass.store.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hourglass.testing.Patience;
import hourglass.testing.Tier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first tier starts brokers for the whole program. */
@Tag(Tier.IN_FULL)
class KafkaBrokerTest {
  private static final Duration PATIENCE = Patience.LONGEST;

  @TempDir static Path folder;

  @Test
  void keepsRecordsOverKillAndRestart() throws Exception {
    String address;
    long pid;
    try (KafkaBroker broker = KafkaBroker.start(folder)) {
      address = broker.bootstrapServers();
      broker.createTopic("events", 1);
      assertThatThrownBy(() -> broker.createTopic("events", 1))
          .isInstanceOf(SandboxException.class)
          .hasMessageContaining("already exists");
      broker.addPartitions("events", 3);
      send(address, "events", 2, "before");
      broker.kill();
      assertThat(broker.isAlive()).isFalse();
      broker.restart();
      assertThat(broker.bootstrapServers()).isEqualTo(address);
      assertThat(read(address, "events", 2)).isEqualTo("before");
      pid = broker.pid();
    }
    assertThat(ProcessHandle.of(pid)).isEmpty();
    try (KafkaBroker again = KafkaBroker.start(folder)) {
      assertThat(again.bootstrapServers()).isEqualTo(address);
      assertThat(read(address, "events", 2)).isEqualTo("before");
    }
  }

  private static void send(String address, String topic, int partition, String value)
      throws Exception {
    Map<String, Object> settings = Map.of("bootstrap.servers", address, "acks", "all");
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      producer
          .send(new ProducerRecord<>(topic, partition, null, value))
          .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  private static String read(String address, String topic, int partition) {
    Map<String, Object> settings = Map.of("bootstrap.servers", address);
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      TopicPartition from = new TopicPartition(topic, partition);
      consumer.assign(List.of(from));
      consumer.seekToBeginning(List.of(from));
      for (ConsumerRecord<String, String> record : consumer.poll(PATIENCE)) {
        return record.value();
      }
      throw new AssertionError("no record in " + PATIENCE);
    }
  }
}
