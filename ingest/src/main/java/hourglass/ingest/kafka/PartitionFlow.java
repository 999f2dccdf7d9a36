package hourglass.ingest.kafka;

import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.decode.RecordBatch;
import hourglass.ingest.stream.BatchPump;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The records of one partition, from their fetch to the commit of their offsets. An offset may be
 * committed when every flight before it has landed. Used by the poll loop alone.
 */
final class PartitionFlow implements BatchPump.Sink<Flight> {
  /** The most flights under way: one waits for the disk while the next is decoded. */
  private static final int FLIGHTS_MAX = 2;

  /** The failures in a row after which a partition is stuck: about three seconds of tries. */
  private static final int STUCK_FAILURES = 5;

  /** The bytes of unstored records at which the partition is paused. */
  private static final long HELD_BYTES_MAX = 8 << 20;

  final TopicPartition partition;
  private final FieldMapping mapping;
  private final ArenaPool spares;
  private final FlightStore store;
  private final BatchPump<Flight> pump;

  /**
   * The flights that have not begun, in the order of offsets. The last one accepts more records.
   */
  private final Deque<Flight> gathered = new ArrayDeque<>();

  private long heldBytes;
  private @Nullable OffsetAndMetadata reached;
  private @Nullable OffsetAndMetadata landed;
  private @Nullable OffsetAndMetadata committed;
  private boolean paused;
  private boolean closed;

  /** Creates the flow of a partition. */
  PartitionFlow(
      TopicPartition partition, FieldMapping mapping, ArenaPool spares, FlightStore store) {
    this.partition = partition;
    this.mapping = mapping;
    this.spares = spares;
    this.store = store;
    this.pump = new BatchPump<>(this, store::later, BatchPump.Pauses.DEFAULTS, FLIGHTS_MAX);
  }

  /**
   * Adds records without keeping any object of the client. Returns the number of records without a
   * value.
   */
  int add(List<ConsumerRecord<ByteBuffer, ByteBuffer>> records) {
    int left = records.size();
    int deleted = 0;
    for (ConsumerRecord<ByteBuffer, ByteBuffer> record : records) {
      if (gathered.isEmpty() || !gathered.getLast().hasRoomFor(record)) {
        long bytes = left * Flight.valueBytes(record); // most have about that size
        gathered.addLast(flight(spares.take(left, bytes)));
      }
      heldBytes += gathered.getLast().add(record);
      left--;
      deleted += record.value() == null ? 1 : 0;
    }
    return deleted;
  }

  /** Sets the consumer's position, which is after its records and any transaction markers. */
  void reached(OffsetAndMetadata next) {
    reached = next;
    settle();
  }

  /** Begins the flights that may begin. While one is under way, these are only full ones. */
  void write() {
    while (!gathered.isEmpty()
        && pump.hasRoom(gathered.size() > 1 || gathered.getLast().isFull())) {
      pump.add(gathered.removeFirst());
    }
  }

  /** Ends the flow. Landings no longer count, since the partition belongs to another member. */
  void close() {
    closed = true;
    pump.close();
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public int size(Flight flight) {
    return flight.batch.size();
  }

  @Override
  public CompletionStage<?> write(Flight flight) {
    return store.write(this, flight);
  }

  @Override
  public CompletionStage<?> reject(Flight flight, Throwable failure) {
    return store.reject(this, flight, failure);
  }

  @Override
  public boolean goesOn(Flight flight, Throwable failure, int failures) {
    store.failed(this, failure, failures);
    return true;
  }

  @Override
  public void done(Flight flight) {
    heldBytes -= flight.heldBytes();
    spares.release(flight.batch.arena());
    OffsetAndMetadata next = flight.next();
    landed = next == null ? landed : next;
    settle();
  }

  private void settle() {
    if (reached != null && isEmpty()) {
      landed = reached;
    }
  }

  /** Divides a flight, without the records whose dead letters are sent. */
  @Override
  public List<Flight> halves(Flight flight) {
    List<Integer> left = new ArrayList<>();
    for (int i = 0; i < flight.batch.size(); i++) {
      if (!flight.lettersSent.contains(i)) {
        left.add(i);
      }
    }
    int middle = left.size() / 2;
    List<Flight> halves = new ArrayList<>();
    if (middle > 0) {
      halves.add(part(flight, left.subList(0, middle), left.get(middle)));
    }
    halves.add(part(flight, left.subList(middle, left.size()), -1));
    heldBytes += halves.stream().mapToLong(Flight::heldBytes).sum() - flight.heldBytes();
    return halves;
  }

  private Flight part(Flight of, List<Integer> places, int nextPlace) {
    // Each part uses a new arena, since the store may still read the arena of the whole flight.
    Flight part = flight(new RecordBatch.Arena(places.size(), 0));
    for (int place : places) {
      part.add(of.record(place));
    }
    part.becomePart(of, nextPlace);
    return part;
  }

  private Flight flight(RecordBatch.Arena arena) {
    return new Flight(partition, mapping, store.eventBytesMax(), arena);
  }

  boolean isStuck() {
    return pump.failures() >= STUCK_FAILURES;
  }

  /** Starts over with new offsets. The records held now are stored, but allow no commit. */
  void startOver() {
    flights().forEach(Flight::forgetOffset);
    reached = null;
    landed = null;
    committed = null;
  }

  /** Returns the flights that have not landed, in the order of offsets. */
  Stream<Flight> flights() {
    return Stream.concat(pump.batches().stream(), gathered.stream());
  }

  boolean isFlying() {
    return pump.isWriting();
  }

  /** Returns whether every fetched record is stored. */
  boolean isEmpty() {
    return gathered.isEmpty() && pump.isEmpty();
  }

  boolean isFull() {
    return heldBytes >= HELD_BYTES_MAX;
  }

  /**
   * Returns whether few enough bytes are held to fetch again: three quarters of the limit at most.
   */
  boolean hasRoom() {
    return heldBytes <= HELD_BYTES_MAX / 4 * 3;
  }

  long heldBytes() {
    return heldBytes;
  }

  /** Returns the number of fetched records that are not stored. */
  int held() {
    return flights().mapToInt(Flight::records).sum();
  }

  boolean isPaused() {
    return paused;
  }

  void setPaused(boolean yes) {
    paused = yes;
  }

  Optional<OffsetAndMetadata> committable() {
    return landed == null || landed.equals(committed) ? Optional.empty() : Optional.of(landed);
  }

  void committed(OffsetAndMetadata offset) {
    committed = offset;
  }

  /** Returns the committed offset; -1 if it is unknown. */
  long committedOffset() {
    return committed == null ? -1 : committed.offset();
  }
}
