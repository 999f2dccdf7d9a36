package hourglass.ingest.kafka;

import hourglass.ingest.RecordBatch;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * What the records of a batch came in: their keys and headers, and those values that the batch has
 * in another form. All of it is copied, so that no record that waits holds the megabytes that the
 * broker answered with. Used by one thread, then by those it is handed to.
 */
final class Envelopes {
  private static final int NO_KEY = -1;

  private final TopicPartition partition;
  private final Map<Integer, Headers> headers = new HashMap<>();
  private final Map<Integer, byte[]> values = new HashMap<>();

  // Keys one behind the other, up to the last record that has one.
  private byte[] keys = new byte[0];
  private int keysLength;
  private int[] keyFroms = new int[0];
  private int[] keyLengths = new int[0];

  Envelopes(TopicPartition partition) {
    this.partition = partition;
  }

  /**
   * Keeps what a record came in.
   *
   * @param place of the record in the batch
   * @param keepsValue whether the batch has not its value as it came
   */
  void add(int place, ConsumerRecord<ByteBuffer, ByteBuffer> record, boolean keepsValue) {
    if (record.key() != null) {
      addKey(place, record.key());
    }
    if (record.headers().toArray().length > 0) {
      headers.put(place, record.headers()); // which lets go of the answer once it was read
    }
    if (keepsValue) {
      byte[] value = new byte[record.value().remaining()];
      record.value().get(record.value().position(), value);
      values.put(place, value);
    }
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

  /** A record of the batch, as it came. */
  ConsumerRecord<ByteBuffer, ByteBuffer> record(RecordBatch batch, int place) {
    ByteBuffer key = key(place);
    byte[] kept = values.get(place);
    ByteBuffer value = kept == null ? batch.value(place) : ByteBuffer.wrap(kept);
    Headers own = headers.get(place);
    return new ConsumerRecord<>(
        partition.topic(),
        partition.partition(),
        batch.offset(place),
        batch.millis(place),
        TimestampType.CREATE_TIME,
        key == null ? ConsumerRecord.NULL_SIZE : key.remaining(),
        value.remaining(),
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
