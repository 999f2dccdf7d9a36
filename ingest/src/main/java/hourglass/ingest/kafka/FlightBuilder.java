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
 * Packs records as they are fetched: their bytes are copied once, to where they are scanned, and
 * the client's objects and its view of the broker's answer are let go of at once. Used by the poll
 * loop alone.
 */
final class FlightBuilder {
  /**
   * The more of them share a write, the less each costs; these take some milliseconds to decode.
   */
  static final int RECORDS_MAX = 20_000;

  static final int BYTES_MAX = 4 << 20;

  /** What a record takes in memory besides its bytes, in arrays that are half full. */
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
   * An empty one.
   *
   * @param eventBytesMax a larger record is refused without another look
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

  /** Whether a record may go with those before it; any may go alone. */
  boolean hasRoomFor(ConsumerRecord<ByteBuffer, ByteBuffer> record) {
    return records == 0
        || !isFull() && !isOffsetForgotten && batch.bytes() + valueBytes(record) <= BYTES_MAX;
  }

  /**
   * Adds the next record of the partition.
   *
   * @return what it takes in memory while it is held
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
   * What was added says no more where a consumer goes on; it stays apart from records that do, so
   * that a part of the flight never takes an old offset for a new one.
   */
  void forgetOffset() {
    isOffsetForgotten = true;
    nextOffset = NO_OFFSET;
  }

  /** How many were added. */
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
