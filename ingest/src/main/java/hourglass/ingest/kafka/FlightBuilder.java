package hourglass.ingest.kafka;

import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.decode.RecordArena;
import hourglass.ingest.decode.RecordBatch;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Collects fetched records. Their bytes are copied once, to where they are scanned, and the
 * client's objects and its view of the broker's answer become garbage at once. Used by the poll
 * loop alone.
 */
final class FlightBuilder {
  /** Large writes cost less for each record; this many decode in some milliseconds. */
  static final int RECORDS_MAX = 20_000;

  static final int BYTES_MAX = 4 << 20;

  /** Memory of a record besides its bytes, in arrays that are half full. */
  private static final long RECORD_BYTES = 64;

  private static final long NO_OFFSET = -1;

  private final int eventBytesMax;
  private final RecordBatch.Builder batch;
  private final RecordEnvelopes envelopes;
  private int records;
  private long heldBytes;
  private long nextOffset = NO_OFFSET;
  private Optional<Integer> leaderEpoch = Optional.empty();
  private boolean isOffsetForgotten;

  /**
   * An empty builder.
   *
   * @param eventBytesMax limit of a record; a larger one is rejected unread
   */
  FlightBuilder(
      TopicPartition partition, FieldMapping mapping, int eventBytesMax, RecordArena arena) {
    this.eventBytesMax = eventBytesMax;
    this.batch = RecordBatch.builder(partition.topic(), partition.partition(), mapping, arena);
    this.envelopes = new RecordEnvelopes(partition, eventBytesMax);
  }

  boolean isFull() {
    return records >= RECORDS_MAX || batch.bytes() >= BYTES_MAX;
  }

  /** Whether a record fits; any record fits alone. */
  boolean hasRoomFor(ConsumerRecord<ByteBuffer, ByteBuffer> record) {
    return records == 0
        || !isFull() && !isOffsetForgotten && batch.bytes() + valueBytes(record) <= BYTES_MAX;
  }

  /**
   * Adds the next record of the partition.
   *
   * @return the memory of the record while it is held
   */
  long add(ConsumerRecord<ByteBuffer, ByteBuffer> record) {
    records++;
    nextOffset = record.offset() + 1;
    leaderEpoch = record.leaderEpoch();
    long bytes = RECORD_BYTES;
    if (record.value() != null) {
      int before = batch.bytes();
      boolean whole = RecordFormat.add(record, batch, eventBytesMax);
      bytes += batch.bytes() - before + envelopes.add(batch.size() - 1, record, !whole);
    }
    heldBytes += bytes;
    return bytes;
  }

  /**
   * Forgets the offset of the added records. The flight then takes no more records, so that a part
   * of it never commits an old offset as a new one.
   */
  void forgetOffset() {
    isOffsetForgotten = true;
    nextOffset = NO_OFFSET;
  }

  int records() {
    return records;
  }

  Flight build(long nowNanos) {
    OffsetAndMetadata next =
        nextOffset == NO_OFFSET ? null : new OffsetAndMetadata(nextOffset, leaderEpoch, "");
    return new Flight(batch.build(), envelopes, next, records, heldBytes, nowNanos);
  }

  static long valueBytes(ConsumerRecord<?, ?> record) {
    return Math.max(0, record.serializedValueSize());
  }
}
