package hourglass.ingest.kafka;

import hourglass.ingest.RecordBatch;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;

/** Records of one partition on their way to the store, one write. Used by the poll loop alone. */
final class Flight {
  private static final long FIRST_WAIT_NANOS = 100_000_000;
  private static final long WAIT_NANOS_MAX = 5_000_000_000L;

  private final List<ConsumerRecord<ByteBuffer, ByteBuffer>> records;
  private final RecordBatch batch;
  private final OffsetAndMetadata next;
  private final long bytes;
  private final Set<Integer> sentOn = ConcurrentHashMap.newKeySet();
  private State state = State.WAITING;
  private long waitNanos = FIRST_WAIT_NANOS;
  private long dueNanos;

  private enum State {
    WAITING,
    FLYING,
    LANDED
  }

  /**
   * @param records those of the batch, in its order
   * @param next where a consumer goes on when all of them are stored
   * @param bytes of all that was read for the flight
   */
  Flight(
      List<ConsumerRecord<ByteBuffer, ByteBuffer>> records,
      RecordBatch batch,
      OffsetAndMetadata next,
      long bytes,
      long nowNanos) {
    this.records = List.copyOf(records);
    this.batch = batch;
    this.next = next;
    this.bytes = bytes;
    this.dueNanos = nowNanos;
  }

  RecordBatch batch() {
    return batch;
  }

  ConsumerRecord<ByteBuffer, ByteBuffer> record(int index) {
    return records.get(index);
  }

  /** The places of records whose dead letters are sent. Thread-safe. */
  Set<Integer> sentOn() {
    return sentOn;
  }

  OffsetAndMetadata next() {
    return next;
  }

  long bytes() {
    return bytes;
  }

  boolean isDue(long nowNanos) {
    return state == State.WAITING && nowNanos - dueNanos >= 0;
  }

  boolean isFlying() {
    return state == State.FLYING;
  }

  boolean hasLanded() {
    return state == State.LANDED;
  }

  void begin() {
    state = State.FLYING;
  }

  /** The store did not take it; it is tried again after a while, longer each time. */
  void failed(long nowNanos) {
    state = State.WAITING;
    dueNanos = nowNanos + waitNanos;
    waitNanos = Math.min(2 * waitNanos, WAIT_NANOS_MAX);
  }

  /** Every record is stored, or was refused and its dead letter is sent. */
  void landed() {
    state = State.LANDED;
  }
}
