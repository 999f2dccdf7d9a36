package hourglass.ingest.kafka;

import hourglass.ingest.decode.RecordBatch;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Records of one partition on their way to the store: one write, or if they fall into thousands of
 * rows, a few. Used by the poll loop alone, but for its batch, its records and {@link #sentOn}.
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
   * @param next where a consumer goes on when all of them are stored; null if that is not known
   * @param records how many were read for the flight, those without a value too
   * @param heldBytes what they take in memory
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

  /** A record of the batch, as it came. */
  ConsumerRecord<ByteBuffer, ByteBuffer> record(int place) {
    return envelopes.record(batch, place);
  }

  /** The places of records whose dead letters are sent. Thread-safe. */
  Set<Integer> sentOn() {
    return sentOn;
  }

  @Nullable OffsetAndMetadata next() {
    return next;
  }

  void forgetOffset() {
    next = null;
  }

  void goOnAt(@Nullable OffsetAndMetadata offset) {
    next = offset;
  }

  int records() {
    return records;
  }

  long heldBytes() {
    return heldBytes;
  }

  /** How often in a row it failed, as a whole or within a larger one. */
  int failures() {
    return failures;
  }

  /** How often in a row the store refused its records; any other failure begins the count anew. */
  int refusals() {
    return refusals;
  }

  /** It is a part of one that failed. */
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

  void begin() {
    state = State.FLYING;
  }

  /**
   * The store did not take it; it is tried again after a while, longer each time.
   *
   * @param isOfRecords whether the store refused its records
   */
  void failed(long nowNanos, boolean isOfRecords) {
    failures++;
    refusals = isOfRecords ? refusals + 1 : 0;
    state = State.WAITING;
    dueNanos = nowNanos + waitNanos;
    waitNanos = Math.min(2 * waitNanos, WAIT_NANOS_MAX);
  }

  /** Every record is stored, or was refused and its dead letter is sent. */
  void landed() {
    state = State.LANDED;
  }
}
