package hourglass.ingest.kafka;

import hourglass.ingest.decode.RecordBatch;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Records of one partition on their way to the store: one write, or a few if they fall into
 * thousands of rows. Used by the poll loop alone, except for its batch, its records and {@link
 * #sentOn}.
 */
final class Flight {
  private static final long FIRST_WAIT_NANOS = 100_000_000;
  private static final long WAIT_NANOS_MAX = 5_000_000_000L;

  private final RecordBatch batch;
  private final RecordEnvelopes envelopes;
  private @Nullable OffsetAndMetadata next;
  private final int records;
  private final long heldBytes;
  private final Set<Integer> sentOn = ConcurrentHashMap.newKeySet();
  private State state = State.WAITING;
  private long waitNanos = FIRST_WAIT_NANOS;
  private long dueNanos;
  private int failures;
  private int refusals;

  private enum State {
    WAITING,
    FLYING,
    LANDED
  }

  /**
   * @param next the offset after the last record; null if it is not known
   * @param records number of records, including those without a value
   * @param heldBytes memory of the records
   */
  Flight(
      RecordBatch batch,
      RecordEnvelopes envelopes,
      @Nullable OffsetAndMetadata next,
      int records,
      long heldBytes,
      long nowNanos) {
    this.batch = batch;
    this.envelopes = envelopes;
    this.next = next;
    this.records = records;
    this.heldBytes = heldBytes;
    this.dueNanos = nowNanos;
  }

  RecordBatch batch() {
    return batch;
  }

  /** A record of the batch, as it was read. */
  ConsumerRecord<ByteBuffer, ByteBuffer> record(int place) {
    return envelopes.record(batch, place);
  }

  /** The places of records with a sent dead letter. Thread-safe. */
  Set<Integer> sentOn() {
    return sentOn;
  }

  @Nullable OffsetAndMetadata next() {
    return next;
  }

  void forgetOffset() {
    next = null;
  }

  void setNext(@Nullable OffsetAndMetadata offset) {
    next = offset;
  }

  int records() {
    return records;
  }

  long heldBytes() {
    return heldBytes;
  }

  /** Failures in a row, of this flight or of a larger one that it was part of. */
  int failures() {
    return failures;
  }

  /** Refusals in a row; any other failure resets the count. */
  int refusals() {
    return refusals;
  }

  /** Makes this a part of a flight that failed. */
  void inherit(Flight whole) {
    failures = whole.failures;
    refusals = whole.refusals;
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

  void start() {
    state = State.FLYING;
  }

  /**
   * Records a failed write, and delays the next try, longer each time.
   *
   * @param isOfRecords whether the store refused the records
   */
  void failed(long nowNanos, boolean isOfRecords) {
    failures++;
    refusals = isOfRecords ? refusals + 1 : 0;
    state = State.WAITING;
    dueNanos = nowNanos + waitNanos;
    waitNanos = Math.min(2 * waitNanos, WAIT_NANOS_MAX);
  }

  /** Every record is stored, or is a sent dead letter. */
  void landed() {
    state = State.LANDED;
  }
}
