package hourglass.ingest.kafka;

import hourglass.ingest.FieldMapping;
import hourglass.ingest.RecordBatch;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/**
 * Packs records as they are fetched: their bytes are copied once, to where they are scanned, and
 * the client's objects and its view of the broker's answer are let go of at once. Used by the poll
 * loop alone.
 */
final class FlightBuilder {
  /** As large as the batches that HTTP clients are told to send. */
  private static final int RECORDS_MAX = 5_000;

  private static final int BYTES_MAX = 1 << 20;

  /** What a record takes in memory besides its bytes. */
  private static final long RECORD_BYTES = 48;

  private static final long HEADER_BYTES = 64;

  private final int eventBytesMax;
  private final RecordBatch.Builder batch;
  private final Envelopes envelopes;
  private int records;
  private long valueBytes;
  private long heldBytes;
  private long nextOffset;
  private Optional<Integer> leaderEpoch = Optional.empty();

  /**
   * An empty one.
   *
   * @param eventBytesMax a larger record is refused without another look
   * @param records how many are probably to come
   * @param bytes of their values
   */
  FlightBuilder(
      TopicPartition partition, FieldMapping mapping, int eventBytesMax, int records, long bytes) {
    this.eventBytesMax = eventBytesMax;
    this.batch =
        RecordBatch.builder(
            partition.topic(),
            partition.partition(),
            mapping,
            Math.min(records, RECORDS_MAX),
            (int) Math.min(bytes, BYTES_MAX));
    this.envelopes = new Envelopes(partition);
  }

  boolean isFull() {
    return records >= RECORDS_MAX || valueBytes >= BYTES_MAX;
  }

  /** Whether a record may go with those before it; any may go alone. */
  boolean hasRoomFor(ConsumerRecord<ByteBuffer, ByteBuffer> record) {
    return records == 0 || !isFull() && valueBytes + valueBytes(record) <= BYTES_MAX;
  }

  /**
   * Adds the next record of the partition.
   *
   * @return what it takes in memory while it is held
   */
  long add(ConsumerRecord<ByteBuffer, ByteBuffer> record) {
    long bytes = heldBytes(record);
    records++;
    valueBytes += valueBytes(record);
    heldBytes += bytes;
    nextOffset = record.offset() + 1;
    leaderEpoch = record.leaderEpoch();
    if (record.value() != null) {
      boolean whole = RecordForm.add(record, batch, eventBytesMax);
      envelopes.add(batch.size() - 1, record, !whole);
    }
    return bytes;
  }

  /** How many were added. */
  int records() {
    return records;
  }

  Flight build(long nowNanos) {
    OffsetAndMetadata next = new OffsetAndMetadata(nextOffset, leaderEpoch, "");
    return new Flight(batch.build(), envelopes, next, records, heldBytes, nowNanos);
  }

  static long valueBytes(ConsumerRecord<?, ?> record) {
    return Math.max(0, record.serializedValueSize());
  }

  private static long heldBytes(ConsumerRecord<ByteBuffer, ByteBuffer> record) {
    long bytes = RECORD_BYTES + Math.max(0, record.serializedKeySize()) + valueBytes(record);
    for (Header header : record.headers().toArray()) {
      byte[] value = header.value();
      bytes += HEADER_BYTES + 2L * header.key().length() + (value == null ? 0 : value.length);
    }
    return bytes;
  }
}
