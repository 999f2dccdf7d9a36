package hourglass.ingest.kafka;

import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.decode.RecordBatch;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Records of one partition in one write, or in a few if they fall into thousands of rows. Their
 * bytes are copied, so that the client's objects and its view of the broker's answer become
 * garbage. Used by the poll loop alone, except for its batch, its records and {@link #lettersSent}.
 */
final class Flight {
  /**
   * The most records. Large writes cost less for each record; this many decode in some
   * milliseconds.
   */
  static final int RECORDS_MAX = 20_000;

  static final int BYTES_MAX = 4 << 20;

  /** The memory of a record besides its bytes, in arrays that are half full. */
  private static final long RECORD_BYTES = 64;

  private static final long NO_OFFSET = -1;

  private final int eventBytesMax;
  final RecordBatch batch;

  /** The places of records whose letters are sent. Thread-safe. */
  final Set<Integer> lettersSent = ConcurrentHashMap.newKeySet();

  private final RecordEnvelopes envelopes;
  private int records;
  private long heldBytes;
  private long nextOffset = NO_OFFSET;
  private Optional<Integer> leaderEpoch = Optional.empty();

  /** Creates an empty flight. A record above {@code eventBytesMax} is rejected unread. */
  Flight(
      TopicPartition partition, FieldMapping mapping, int eventBytesMax, RecordBatch.Arena arena) {
    this.eventBytesMax = eventBytesMax;
    this.batch = new RecordBatch(partition.topic(), partition.partition(), mapping, arena);
    this.envelopes = new RecordEnvelopes(partition, eventBytesMax);
  }

  boolean isFull() {
    return records >= RECORDS_MAX || batch.bytes() >= BYTES_MAX;
  }

  /** Returns whether a record fits. Any record fits alone. */
  boolean hasRoomFor(ConsumerRecord<ByteBuffer, ByteBuffer> record) {
    boolean fits = !isFull() && batch.bytes() + valueBytes(record) <= BYTES_MAX;
    return records == 0 || fits && nextOffset != NO_OFFSET;
  }

  static long valueBytes(ConsumerRecord<?, ?> record) {
    return Math.max(0, record.serializedValueSize());
  }

  /** Adds a record, and returns its memory while it is held. */
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
   * Makes the flight accept no more records, so that none of its parts commits an old offset as
   * new.
   */
  void forgetOffset() {
    nextOffset = NO_OFFSET;
  }

  ConsumerRecord<ByteBuffer, ByteBuffer> record(int place) {
    return envelopes.record(batch, place);
  }

  /** Returns the offset after the last record; null if it is not known. */
  @Nullable OffsetAndMetadata next() {
    return nextOffset == NO_OFFSET ? null : new OffsetAndMetadata(nextOffset, leaderEpoch, "");
  }

  /** Returns the number of records, including those without a value. */
  int records() {
    return records;
  }

  long heldBytes() {
    return heldBytes;
  }

  /**
   * Makes this flight a part of a failed one.
   *
   * @param nextPlace the place, in the whole, of the first record after this part; -1 if there is
   *     none
   */
  void becomePart(Flight whole, int nextPlace) {
    boolean isLast = nextPlace < 0 || whole.nextOffset == NO_OFFSET; // or offsets were reset
    nextOffset = isLast ? whole.nextOffset : whole.batch.offset(nextPlace);
    leaderEpoch = isLast ? whole.leaderEpoch : Optional.empty();
  }
}
