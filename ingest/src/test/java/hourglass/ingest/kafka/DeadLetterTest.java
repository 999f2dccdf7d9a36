package hourglass.ingest.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class DeadLetterTest {
  private static final int SENT_BYTES_MAX = 1_000_000;

  private final Headers headers = new RecordHeaders();

  private ProducerRecord<ByteBuffer, ByteBuffer> letter(int keyBytes, int valueBytes) {
    ByteBuffer around = ByteBuffer.allocate(valueBytes + 10).position(5);
    return DeadLetters.letter(
        "orders.rejected",
        new ConsumerRecord<>(
            "orders",
            3,
            7,
            1_795_161_600_000L,
            TimestampType.CREATE_TIME,
            keyBytes,
            valueBytes,
            ByteBuffer.allocate(keyBytes),
            around.limit(5 + valueBytes),
            headers,
            Optional.empty()),
        "too bad ".repeat(1_000));
  }

  private static String text(ProducerRecord<?, ?> letter, String name) {
    Header header = letter.headers().lastHeader("hourglass." + name);
    return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
  }

  private static int bytes(ProducerRecord<ByteBuffer, ByteBuffer> letter) {
    int bytes = letter.value().remaining();
    bytes += letter.key() == null ? 0 : letter.key().remaining();
    for (Header header : letter.headers()) {
      bytes += header.key().length() + (header.value() == null ? 0 : header.value().length);
    }
    return bytes;
  }

  @Test
  void letterKeepsTheRecordAndItsOrigin() {
    headers.add("trace", new byte[] {1}).add("none", null);
    ProducerRecord<ByteBuffer, ByteBuffer> letter = letter(10, 1_000);
    assertThat(letter.topic()).isEqualTo("orders.rejected");
    assertThat(letter.key().remaining()).isEqualTo(10);
    assertThat(letter.value().remaining()).isEqualTo(1_000);
    assertThat(letter.headers().lastHeader("trace").value()).containsExactly(1);
    assertThat(letter.headers().lastHeader("none").value()).isNull();
    assertThat(text(letter, "topic")).isEqualTo("orders");
    assertThat(text(letter, "partition")).isEqualTo("3");
    assertThat(text(letter, "offset")).isEqualTo("7");
    assertThat(text(letter, "time")).isEqualTo("2026-11-20T08:00:00Z");
    assertThat(text(letter, "reason")).startsWith("too bad").hasSize(2_000);
    assertThat(text(letter, "cut-from-bytes")).isNull();
  }

  @Test
  void letterFitsIntoTheBrokersLimit() {
    for (int keyBytes : new int[] {0, 400_000, 600_000}) {
      for (int headerBytes : new int[] {0, 200_000, 900_000}) {
        headers.remove("large").add("large", new byte[headerBytes]);
        ProducerRecord<ByteBuffer, ByteBuffer> letter = letter(keyBytes, 2_000_000);
        assertThat(bytes(letter)).isLessThan(SENT_BYTES_MAX).isGreaterThan(SENT_BYTES_MAX / 2);
        assertThat(text(letter, "cut-from-bytes")).isEqualTo("2000000");
      }
    }
  }
}
