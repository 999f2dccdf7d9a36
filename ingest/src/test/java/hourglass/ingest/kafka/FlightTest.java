package hourglass.ingest.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.decode.RecordBatch;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/** A flight keeps copies: the client's buffers may be overwritten at once. */
class FlightTest {
  private static final TopicPartition PARTITION = new TopicPartition("orders", 3);
  private static final int EVENT_BYTES_MAX = 2_000;

  private final Flight flight =
      new Flight(PARTITION, FieldMapping.DEFAULT, EVENT_BYTES_MAX, new RecordBatch.Arena(4, 100));
  private long offset = 70;

  private void add(String key, String value, String... header) {
    ByteBuffer keyBytes = bytes(key);
    ByteBuffer valueBytes = bytes(value);
    RecordHeaders headers = new RecordHeaders();
    for (int i = 0; i < header.length; i += 2) {
      headers.add(header[i], header[i + 1].getBytes(StandardCharsets.UTF_8));
    }
    flight.add(
        new ConsumerRecord<>(
            PARTITION.topic(),
            PARTITION.partition(),
            offset++,
            1_795_000_000_123L,
            TimestampType.CREATE_TIME,
            key == null ? -1 : keyBytes.remaining(),
            value == null ? -1 : valueBytes.remaining(),
            keyBytes,
            valueBytes,
            headers,
            Optional.empty()));
    spoil(keyBytes);
    spoil(valueBytes);
  }

  private static ByteBuffer bytes(String text) {
    // In the middle of a larger buffer, as in the broker's answer.
    return text == null
        ? null
        : ByteBuffer.wrap(("##" + text + "##").getBytes(StandardCharsets.UTF_8))
            .slice(2, text.getBytes(StandardCharsets.UTF_8).length);
  }

  private static void spoil(ByteBuffer bytes) {
    if (bytes != null) {
      Arrays.fill(bytes.array(), (byte) '!');
    }
  }

  private static String text(ByteBuffer bytes) {
    return bytes == null ? null : StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
  }

  @Test
  void recordsKeepTheirContent() {
    String large = "{\"x\":\"" + "y".repeat(EVENT_BYTES_MAX) + "\"}";
    add(null, "{\"n\":0}");
    add("kéy", "{\"n\":1}");
    add("", "", "trace", "7");
    add("deleted", null);
    add("k".repeat(300), large);
    add(null, "{\"paid\":1}", "ce_specversion", "1.0", "ce_id", "9");
    assertThat(flight.records()).isEqualTo(6);
    assertThat(flight.batch.size()).isEqualTo(5);
    assertThat(flight.next().offset()).isEqualTo(76);
    String[] keys = {null, "kéy", "", "k".repeat(300), null};
    String[] values = {"{\"n\":0}", "{\"n\":1}", "", large, "{\"paid\":1}"};
    long[] offsets = {70, 71, 72, 74, 75};
    for (int i = 0; i < keys.length; i++) {
      ConsumerRecord<ByteBuffer, ByteBuffer> record = flight.record(i);
      assertThat(text(record.key())).isEqualTo(keys[i]);
      assertThat(text(record.value())).isEqualTo(values[i]);
      assertThat(record.offset()).isEqualTo(offsets[i]);
      assertThat(record.timestamp()).isEqualTo(1_795_000_000_123L);
      assertThat(record.topic()).isEqualTo("orders");
      assertThat(record.partition()).isEqualTo(3);
    }
    assertThat(new String(flight.record(2).headers().lastHeader("trace").value())).isEqualTo("7");
    assertThat(flight.record(4).headers()).hasSize(2);
    assertThat(flight.record(0).headers()).isEmpty();
  }

  @Test
  void isFullAtACountOfRecordsOrBytes() {
    for (int i = 0; i < 19_999; i++) {
      add(null, "{}");
    }
    assertThat(flight.isFull()).isFalse();
    add(null, "{}");
    assertThat(flight.isFull()).isTrue();
  }
}
