package hourglass.ingest.kafka;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;

/**
 * A record that cannot be an event, as it is sent on: key, value and headers as they were, and
 * headers that say where it came from and what was wrong.
 */
final class DeadLetter {
  /** What every broker takes by default. */
  private static final int RECORD_BYTES_MAX = 1_000_000;

  /** Of a request: brokers judge by the batch, so that a larger setting there needs none here. */
  static final int REQUEST_BYTES_MAX = 1 << 20;

  private static final int REASON_CHARS_MAX = 2_000;
  private static final String PREFIX = "hourglass.";

  private DeadLetter() {}

  /** What to send; a value that is too large is cut, and a header has its whole length. */
  static ProducerRecord<ByteBuffer, ByteBuffer> of(
      String topic, ConsumerRecord<ByteBuffer, ByteBuffer> record, String reason) {
    int room = RECORD_BYTES_MAX - REASON_CHARS_MAX * 3 - headerBytes(record.headers());
    ByteBuffer key = record.key();
    int keyBytes = key == null ? 0 : key.remaining();
    boolean keepsHeaders = room > 0;
    int forValue =
        Math.max(0, (keepsHeaders ? room : RECORD_BYTES_MAX - REASON_CHARS_MAX * 3) - keyBytes);
    boolean keepsKey = keyBytes <= RECORD_BYTES_MAX / 2;
    ByteBuffer value = record.value().duplicate();
    int whole = value.remaining();
    boolean cut = whole > forValue;
    if (cut) {
      value.limit(value.position() + forValue);
    }
    ProducerRecord<ByteBuffer, ByteBuffer> letter =
        new ProducerRecord<>(topic, null, null, keepsKey ? key : null, value);
    if (keepsHeaders) {
      record.headers().forEach(letter.headers()::add);
    }
    put(letter, "reason", reason.substring(0, Math.min(reason.length(), REASON_CHARS_MAX)));
    put(letter, "topic", record.topic());
    put(letter, "partition", Integer.toString(record.partition()));
    put(letter, "offset", Long.toString(record.offset()));
    put(letter, "time", Instant.ofEpochMilli(Math.max(0, record.timestamp())).toString());
    if (cut) {
      put(letter, "cut-from-bytes", Integer.toString(whole));
    }
    return letter;
  }

  private static void put(ProducerRecord<?, ?> letter, String name, String value) {
    letter.headers().add(PREFIX + name, value.getBytes(StandardCharsets.UTF_8));
  }

  private static int headerBytes(Headers headers) {
    int bytes = 0;
    for (var header : headers) {
      bytes +=
          16 + 3 * header.key().length() + (header.value() == null ? 0 : header.value().length);
    }
    return bytes;
  }
}
