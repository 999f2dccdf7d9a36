package hourglass.ingest.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.access.FairExecutor;
import hourglass.bucketing.FixedShards;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.service.FakeStore;
import hourglass.ingest.service.IngestOptions;
import hourglass.ingest.service.IngestService;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class PartitionFlowTest {
  private static final TopicPartition PARTITION = new TopicPartition("orders", 3);
  private static final int EVENT_BYTES_MAX = 1 << 20;

  private final PartitionFlow flow =
      new PartitionFlow(PARTITION, FieldMapping.DEFAULT, new ArenaPool(1), nothingIsStored());

  private static FlightStore nothingIsStored() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    IngestService service =
        new IngestService(
            new FakeStore(),
            new FixedShards(1, Map.of()),
            PlannerOptions.DEFAULTS,
            new TimeUuidGenerator(Clock.systemUTC()),
            IngestOptions.DEFAULTS,
            FairExecutor.over(Runnable::run),
            registry);
    KafkaMeters meters = new KafkaMeters(registry);
    KafkaOptions options =
        new KafkaOptions(
            "none:1",
            new TopicSelection(List.of("orders")),
            "hourglass",
            1,
            Map.of(),
            DeadLetterName.OFF,
            Map.of());
    return new FlightStore(service, new DeadLetters(options, meters), meters, task -> {});
  }

  private static ConsumerRecord<ByteBuffer, ByteBuffer> record(
      long offset, String value, String... header) {
    RecordHeaders headers = new RecordHeaders();
    for (int i = 0; i < header.length; i += 2) {
      headers.add(header[i], header[i + 1].getBytes(StandardCharsets.UTF_8));
    }
    ByteBuffer bytes = ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8));
    return new ConsumerRecord<>(
        PARTITION.topic(),
        PARTITION.partition(),
        offset,
        1_795_000_000_123L,
        TimestampType.CREATE_TIME,
        ConsumerRecord.NULL_SIZE,
        bytes.remaining(),
        null,
        bytes,
        headers,
        Optional.empty());
  }

  private static ConsumerRecord<ByteBuffer, ByteBuffer> binaryCloudEvent(long offset, int bytes) {
    return record(
        offset,
        "x".repeat(bytes),
        "ce_specversion",
        "1.0",
        "ce_id",
        "9",
        "ce_type",
        "paid",
        "ce_source",
        "/shop",
        "content-type",
        "text/plain");
  }

  @Test
  void halvesKeepTheirRecords() {
    int whole = DeadLetters.RECORD_BYTES_MAX + 20_000;
    int tooLarge = EVENT_BYTES_MAX + 50_000;
    flow.add(
        List.of(
            binaryCloudEvent(0, whole),
            binaryCloudEvent(1, tooLarge),
            record(2, "\"" + "y".repeat(tooLarge - 2) + "\"")));
    Flight flight = flow.flights().findFirst().orElseThrow();
    List<Flight> halves = flow.halves(flight);
    List<Flight> alone = new ArrayList<>(halves.subList(0, 1));
    alone.addAll(flow.halves(halves.get(1)));
    assertThat(alone).hasSize(3);
    for (int i = 0; i < 3; i++) {
      assertThat(alone.get(i).batch.value(0)).isEqualTo(flight.batch.value(i));
      ConsumerRecord<ByteBuffer, ByteBuffer> record = alone.get(i).record(0);
      assertThat(record.value()).isEqualTo(flight.record(i).value());
      assertThat(record.serializedValueSize()).isEqualTo(i == 0 ? whole : tooLarge);
    }
    assertThat(alone.get(0).record(0).value().remaining()).isEqualTo(whole);
  }

  private static ConsumerRecord<ByteBuffer, ByteBuffer> small(long offset) {
    return record(offset, "{\"n\":" + offset + "}");
  }

  @Test
  void firstHalfIsCommittedBeforeTheSecond() {
    flow.add(List.of(small(7), small(8), small(9)));
    List<Flight> halves = flow.halves(flow.flights().findFirst().orElseThrow());
    assertThat(flow.heldBytes()).isEqualTo(halves.get(0).heldBytes() + halves.get(1).heldBytes());
    flow.done(halves.get(0));
    assertThat(flow.heldBytes()).isEqualTo(halves.get(1).heldBytes());
    assertThat(flow.committable().orElseThrow().offset()).isEqualTo(8);
    flow.done(halves.get(1));
    assertThat(flow.committable().orElseThrow().offset()).isEqualTo(10);
  }

  @Test
  void halvesOfAResetPartitionCommitNothing() {
    flow.add(List.of(small(7), small(8), small(9), small(10)));
    Flight flight = flow.flights().findFirst().orElseThrow();
    flow.startOver();
    for (Flight half : flow.halves(flight)) {
      flow.done(half);
      assertThat(flow.committable()).isEmpty();
    }
    assertThat(flow.heldBytes()).isZero();
  }

  @Test
  void oldAndNewOffsetsAreInSeparateFlights() {
    flow.add(List.of(small(7), small(8), small(9), small(10)));
    flow.startOver();
    flow.add(List.of(small(0), small(1)));
    List<Flight> flights = flow.flights().toList();
    assertThat(flights).hasSize(2);
    for (Flight half : flow.halves(flights.get(0))) {
      flow.done(half);
      assertThat(flow.committable()).isEmpty();
    }
    flow.done(flights.get(1));
    assertThat(flow.committable().orElseThrow().offset()).isEqualTo(2);
    assertThat(flow.heldBytes()).isZero();
  }
}
