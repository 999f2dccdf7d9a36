package hourglass.ingest.kafka;

import hourglass.ingest.decode.RecordBatch;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * The keys and headers of a batch's records, and the values that the batch contains in another
 * form. All are copied, so that no waiting record holds the megabytes of a broker's answer. Written
 * by one thread, then read by those to which it is handed.
 */
final class RecordEnvelopes {
  private static final int NO_KEY = -1;

  // These estimate the memory of objects besides their bytes.
  private static final long ENTRY_BYTES = 130;
  private static final long HEADER_BYTES = 90;

  private final TopicPartition partition;
  private final int eventBytesMax;
  private final Map<Integer, Headers> headers = new HashMap<>();
  private final Map<Integer, KeptValue> values = new HashMap<>();

  // The keys stand in a row, up to the last record that has one.
  private byte[] keys = new byte[0];
  private int keysLength;
  private int[] keyFroms = new int[0];
  private int[] keyLengths = new int[0];

  /** The first bytes of a value, and its whole length. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record KeptValue(byte[] bytes, int wholeBytes) {}

  /** Creates empty envelopes. A value above {@code eventBytesMax} is rejected unread. */
  RecordEnvelopes(TopicPartition partition, int eventBytesMax) {
    this.partition = partition;
    this.eventBytesMax = eventBytesMax;
  }

  /**
   * Copies a record's key and headers, and its value if {@code keepsValue}: the batch contains
   * another form of it. Returns the memory of the copies.
   */
  long add(int place, ConsumerRecord<ByteBuffer, ByteBuffer> record, boolean keepsValue) {
    long bytes = 0;
    if (record.key() != null) {
      addKey(place, record.key());
      bytes += record.key().remaining();
    }
    Header[] all = record.headers().toArray();
    if (all.length > 0) {
      headers.put(place, copy(all));
      bytes += ENTRY_BYTES + bytes(all);
    }
    if (keepsValue) {
      int whole = RecordFormat.wholeBytes(record);
      int kept = record.value().remaining();
      if (whole > eventBytesMax) { // it becomes a dead letter; any other may be tried again
        kept = Math.min(kept, DeadLetters.RECORD_BYTES_MAX);
      }
      byte[] value = new byte[kept];
      record.value().get(record.value().position(), value);
      values.put(place, new KeptValue(value, whole));
      bytes += ENTRY_BYTES + value.length;
    }
    return bytes;
  }

  /** Copies headers. The client's headers are views of the broker's answer until they are read. */
  private static Headers copy(Header[] all) {
    RecordHeaders copies = new RecordHeaders();
    for (Header header : all) {
      copies.add(header.key(), header.value());
    }
    return copies;
  }

  private static long bytes(Header[] all) {
    long bytes = 0;
    for (Header header : all) {
      bytes += HEADER_BYTES + 2L * header.key().length();
      bytes += header.value() == null ? 0 : header.value().length;
    }
    return bytes;
  }

  private void addKey(int place, ByteBuffer key) {
    if (place >= keyFroms.length) {
      int room = Math.max(64, 2 * place);
      int known = keyFroms.length;
      keyFroms = Arrays.copyOf(keyFroms, room);
      keyLengths = Arrays.copyOf(keyLengths, room);
      Arrays.fill(keyLengths, known, room, NO_KEY);
    }
    int end = Math.addExact(keysLength, key.remaining());
    if (end > keys.length) {
      keys = Arrays.copyOf(keys, Math.max(end, 2 * keys.length));
    }
    key.get(key.position(), keys, keysLength, key.remaining());
    keyFroms[place] = keysLength;
    keyLengths[place] = key.remaining();
    keysLength = end;
  }

  /**
   * Restores a record. A value above the limit may be cut; the serialized size is then that of the
   * whole.
   */
  ConsumerRecord<ByteBuffer, ByteBuffer> record(RecordBatch batch, int place) {
    ByteBuffer key = key(place);
    KeptValue kept = values.get(place);
    ByteBuffer value = kept == null ? batch.value(place) : ByteBuffer.wrap(kept.bytes());
    Headers own = headers.get(place);
    return new ConsumerRecord<>(
        partition.topic(),
        partition.partition(),
        batch.offset(place),
        batch.millis(place),
        TimestampType.CREATE_TIME,
        key == null ? ConsumerRecord.NULL_SIZE : key.remaining(),
        kept == null ? value.remaining() : kept.wholeBytes(),
        key,
        value,
        own == null ? new RecordHeaders() : own,
        Optional.empty());
  }

  private @Nullable ByteBuffer key(int place) {
    return place >= keyLengths.length || keyLengths[place] == NO_KEY
        ? null
        : ByteBuffer.wrap(keys, keyFroms[place], keyLengths[place]).slice();
  }
}
