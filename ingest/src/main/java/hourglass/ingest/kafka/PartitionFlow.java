package hourglass.ingest.kafka;

import hourglass.ingest.FieldMapping;
import hourglass.ingest.RecordBatch;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * The records of one partition from their fetch to the commit of their offsets: some wait, some are
 * on their way to the store in several flights, and an offset may be committed once every flight
 * before it has landed. Used by the poll loop alone.
 */
final class PartitionFlow {
  /** One waits for the disk while the next are decoded. */
  private static final int FLIGHTS_MAX = 4;

  /** As large as the batches that HTTP clients are told to send. */
  private static final int FLIGHT_RECORDS_MAX = 5_000;

  private static final int FLIGHT_BYTES_MAX = 1 << 20;

  /** What a record takes in memory besides its value. */
  private static final long RECORD_BYTES = 200;

  private static final long HEADER_BYTES = 64;

  /** Of records fetched and not stored: beyond it the partition is paused. */
  private static final long HELD_BYTES_MAX = 8 << 20;

  private final TopicPartition partition;
  private final FieldMapping mapping;
  private final int eventBytesMax;
  private final Deque<ConsumerRecord<ByteBuffer, ByteBuffer>> waiting = new ArrayDeque<>();
  private final Deque<Flight> flights = new ArrayDeque<>();
  private long heldBytes;
  private long waitingBytes;
  private @Nullable OffsetAndMetadata reached;
  private @Nullable OffsetAndMetadata landed;
  private @Nullable OffsetAndMetadata committed;
  private boolean paused;
  private boolean given;

  /**
   * @param eventBytesMax a larger record is refused without another look
   */
  PartitionFlow(TopicPartition partition, FieldMapping mapping, int eventBytesMax) {
    this.partition = partition;
    this.mapping = mapping;
    this.eventBytesMax = eventBytesMax;
  }

  TopicPartition partition() {
    return partition;
  }

  void add(List<ConsumerRecord<ByteBuffer, ByteBuffer>> records) {
    for (ConsumerRecord<ByteBuffer, ByteBuffer> record : records) {
      waiting.add(record);
      waitingBytes += valueBytes(record);
      heldBytes += bytes(record);
    }
  }

  private static long bytes(ConsumerRecord<ByteBuffer, ByteBuffer> record) {
    long bytes = RECORD_BYTES + Math.max(0, record.serializedKeySize()) + valueBytes(record);
    for (Header header : record.headers().toArray()) {
      byte[] value = header.value();
      bytes += HEADER_BYTES + 2L * header.key().length() + (value == null ? 0 : value.length);
    }
    return bytes;
  }

  private static long valueBytes(ConsumerRecord<?, ?> record) {
    return Math.max(0, record.serializedValueSize());
  }

  /** Where the consumer stands: behind the records it gave, and what is no record, as a marker. */
  void reached(OffsetAndMetadata next) {
    reached = next;
    settle();
  }

  /**
   * Flights to be begun now: those that failed and are due again, and new ones. While one is on its
   * way, only full ones: so the more records come, the more of them share what a write costs, and
   * the first of few does not wait.
   */
  List<Flight> due(long nowNanos) {
    while (flights.size() < FLIGHTS_MAX
        && (flights.isEmpty() ? !waiting.isEmpty() : isFlightFull())) {
      flights.add(pack(nowNanos));
    }
    return flights.stream().filter(flight -> flight.isDue(nowNanos)).toList();
  }

  private boolean isFlightFull() {
    return waiting.size() >= FLIGHT_RECORDS_MAX || waitingBytes >= FLIGHT_BYTES_MAX;
  }

  private Flight pack(long nowNanos) {
    int taken = 0;
    long valueBytes = 0;
    for (ConsumerRecord<ByteBuffer, ByteBuffer> record : waiting) {
      long more = valueBytes(record);
      if (taken == FLIGHT_RECORDS_MAX || taken > 0 && valueBytes + more > FLIGHT_BYTES_MAX) {
        break;
      }
      valueBytes += more;
      taken++;
    }
    return pack(taken, valueBytes, nowNanos);
  }

  private Flight pack(int taken, long valueBytes, long nowNanos) {
    RecordBatch.Builder batch =
        RecordBatch.builder(
            partition.topic(),
            partition.partition(),
            mapping,
            taken,
            (int) Math.min(valueBytes, FLIGHT_BYTES_MAX));
    List<ConsumerRecord<ByteBuffer, ByteBuffer>> records = new ArrayList<>(taken);
    ConsumerRecord<ByteBuffer, ByteBuffer> last = waiting.getFirst();
    long bytes = 0;
    for (int i = 0; i < taken; i++) {
      last = waiting.removeFirst();
      bytes += bytes(last);
      if (RecordForm.add(last, batch, eventBytesMax)) {
        records.add(last);
      }
    }
    waitingBytes -= valueBytes;
    OffsetAndMetadata next = new OffsetAndMetadata(last.offset() + 1, last.leaderEpoch(), "");
    return new Flight(records, batch.build(), next, bytes, nowNanos);
  }

  /** Lets go of the flights that have landed, as far as none before them is on its way. */
  void settle() {
    while (!flights.isEmpty() && flights.getFirst().hasLanded()) {
      Flight first = flights.removeFirst();
      heldBytes -= first.bytes();
      landed = first.next();
    }
    if (reached != null && isEmpty()) {
      landed = reached;
    }
  }

  boolean isFlying() {
    return flights.stream().anyMatch(Flight::isFlying);
  }

  /** Whether everything that was fetched is stored. */
  boolean isEmpty() {
    return waiting.isEmpty() && flights.isEmpty();
  }

  boolean isFull() {
    return heldBytes >= HELD_BYTES_MAX;
  }

  /** Whether so little is held that a full partition may be fetched from again. */
  boolean hasRoom() {
    return heldBytes <= HELD_BYTES_MAX / 2;
  }

  long heldBytes() {
    return heldBytes;
  }

  /** How many records are fetched and not stored; some more where offsets have gaps. */
  int held() {
    return waiting.size() + flights.stream().mapToInt(flight -> flight.batch().size()).sum();
  }

  boolean isPaused() {
    return paused;
  }

  void setPaused(boolean yes) {
    paused = yes;
  }

  /** What may be committed and is not yet. */
  Optional<OffsetAndMetadata> committable() {
    return landed == null || landed.equals(committed) ? Optional.empty() : Optional.of(landed);
  }

  void committed(OffsetAndMetadata offset) {
    committed = offset;
  }

  /** The offset that the group goes on from, as far as this process knows; -1 if it does not. */
  long committedOffset() {
    return committed == null ? -1 : committed.offset();
  }

  /** The partition is another member's now: what still lands is of no interest. */
  void giveUp() {
    given = true;
  }

  boolean isGivenUp() {
    return given;
  }
}
