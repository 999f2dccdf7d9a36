package hourglass.ingest.kafka;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;

/**
 * The dead letter of a record: its key, value and headers, and headers with its origin and the
 * reason. A key, or headers, of more than half of the room are left out.
 */
final class DeadLetter {
  /** Every broker accepts this by default. */
  static final int RECORD_BYTES_MAX = 1_000_000;

  /** The limit of a request. Brokers check the size of batches, so it needs no setting. */
  static final int REQUEST_BYTES_MAX = 1 << 20;

  private static final int REASON_CHARS_MAX = 2_000;

  /** The limit of our headers: the reason in UTF-8, and little else. */
  private static final int OWN_HEADERS_BYTES_MAX = 10_000;

  private static final String PREFIX = "hourglass.";

  private DeadLetter() {}

  /** Makes a dead letter. A large value is cut, and a header has its whole length. */
  static ProducerRecord<ByteBuffer, ByteBuffer> of(
      String topic, ConsumerRecord<ByteBuffer, ByteBuffer> record, String reason) {
    int room = RECORD_BYTES_MAX - OWN_HEADERS_BYTES_MAX;
    int keyBytes = record.key() == null ? 0 : record.key().remaining();
    boolean keepsKey = keyBytes <= room / 2;
    room -= keepsKey ? keyBytes : 0;
    int headersBytes = bytes(record.headers());
    boolean keepsHeaders = headersBytes <= room / 2;
    room -= keepsHeaders ? headersBytes : 0;
    ByteBuffer value = record.value().slice();
    int whole = record.serializedValueSize();
    value.limit(Math.min(value.remaining(), room));
    ProducerRecord<ByteBuffer, ByteBuffer> letter =
        new ProducerRecord<>(topic, null, null, keepsKey ? record.key() : null, value);
    if (keepsHeaders) {
      record.headers().forEach(letter.headers()::add);
    }
    put(letter, "reason", reason.substring(0, Math.min(reason.length(), REASON_CHARS_MAX)));
    put(letter, "topic", record.topic());
    put(letter, "partition", Integer.toString(record.partition()));
    put(letter, "offset", Long.toString(record.offset()));
    put(letter, "time", Instant.ofEpochMilli(Math.max(0, record.timestamp())).toString());
    if (whole > room) {
      put(letter, "cut-from-bytes", Integer.toString(whole));
    }
    return letter;
  }

  private static void put(ProducerRecord<?, ?> letter, String name, String value) {
    letter.headers().add(PREFIX + name, value.getBytes(StandardCharsets.UTF_8));
  }

  private static int bytes(Headers headers) {
    int bytes = 0;
    for (var header : headers) {
      bytes +=
          16 + 3 * header.key().length() + (header.value() == null ? 0 : header.value().length);
    }
    return bytes;
  }
}
