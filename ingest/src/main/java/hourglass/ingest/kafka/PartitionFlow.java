package hourglass.ingest.kafka;

import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.decode.RecordBatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The records of one partition from their fetch to the commit of their offsets. An offset may be
 * committed when every flight before it has landed. Used by the poll loop alone.
 */
final class PartitionFlow {
  /** One flight waits for the disk while the next is decoded. */
  private static final int FLIGHTS_MAX = 2;

  /** About three seconds of tries. */
  private static final int STUCK_FAILURES = 5;

  /** Of unstored records; beyond it, the partition is paused. */
  private static final long HELD_BYTES_MAX = 8 << 20;

  final TopicPartition partition;
  private final FieldMapping mapping;
  private final int eventBytesMax;
  private final ArenaPool spares;

  /** In the order of offsets. The last one takes more records until it has begun. */
  private final List<Flight> flights = new ArrayList<>();

  /** So many flights, from the first on, were under way at least once. */
  private int begun;

  private long heldBytes;
  private @Nullable OffsetAndMetadata reached;
  private @Nullable OffsetAndMetadata landed;
  private @Nullable OffsetAndMetadata committed;
  private boolean paused;

  /** A record above {@code eventBytesMax} is rejected unread. */
  PartitionFlow(
      TopicPartition partition, FieldMapping mapping, int eventBytesMax, ArenaPool spares) {
    this.partition = partition;
    this.mapping = mapping;
    this.eventBytesMax = eventBytesMax;
    this.spares = spares;
  }

  /** Keeps no object of the client. Returns the number of records without a value. */
  int add(List<ConsumerRecord<ByteBuffer, ByteBuffer>> records) {
    int left = records.size();
    int deleted = 0;
    for (ConsumerRecord<ByteBuffer, ByteBuffer> record : records) {
      if (flights.size() == begun || !last().hasRoomFor(record)) {
        long bytes = left * Flight.valueBytes(record); // most have about that size
        flights.add(flight(spares.take(left, bytes)));
      }
      heldBytes += last().add(record);
      left--;
      deleted += record.value() == null ? 1 : 0;
    }
    return deleted;
  }

  private Flight last() {
    return flights.get(flights.size() - 1);
  }

  /** The consumer's position is behind its records and any transaction markers. */
  void reached(OffsetAndMetadata next) {
    reached = next;
    settle();
  }

  /**
   * Failed flights that are due, and new ones; while one is under way, only full ones. So writes
   * grow with the load, and the first of few records does not wait.
   */
  List<Flight> due(long nowNanos) {
    while (begun < FLIGHTS_MAX
        && begun < flights.size()
        && (begun == 0 || begun < flights.size() - 1 || last().isFull())) {
      begun++;
    }
    return flights.subList(0, begun).stream().filter(flight -> flight.isDue(nowNanos)).toList();
  }

  /**
   * Divides a failed flight, until bad records are alone and keep no others from the store. Records
   * with a sent dead letter are left out.
   */
  void halve(Flight flight) {
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
    int at = flights.indexOf(flight);
    flights.remove(at); // only now: without memory for a half, the whole flight stays
    flights.addAll(at, halves);
    begun += halves.size() - 1;
    heldBytes -= flight.heldBytes();
  }

  private Flight part(Flight of, List<Integer> places, int nextPlace) {
    // A new arena: the store may still read the whole flight's.
    Flight part = flight(new RecordBatch.Arena(places.size(), 0));
    for (int place : places) {
      heldBytes += part.add(of.record(place));
    }
    part.becomePart(of, nextPlace);
    return part;
  }

  private Flight flight(RecordBatch.Arena arena) {
    return new Flight(partition, mapping, eventBytesMax, arena);
  }

  boolean isStuck() {
    return flights.stream().anyMatch(flight -> flight.failures() >= STUCK_FAILURES);
  }

  void settle() {
    while (!flights.isEmpty() && flights.get(0).hasLanded()) {
      Flight first = flights.remove(0);
      begun--;
      heldBytes -= first.heldBytes();
      spares.release(first.batch.arena());
      OffsetAndMetadata next = first.next();
      landed = next == null ? landed : next;
    }
    if (reached != null && isEmpty()) {
      landed = reached;
    }
  }

  /** Starts over with new offsets: held records are stored, but allow no commit. */
  void startOver() {
    flights.forEach(Flight::forgetOffset);
    reached = null;
    landed = null;
    committed = null;
  }

  boolean isFlying() {
    return flights.stream().anyMatch(Flight::isFlying);
  }

  /** Whether every fetched record is stored. */
  boolean isEmpty() {
    return flights.isEmpty();
  }

  boolean isFull() {
    return heldBytes >= HELD_BYTES_MAX;
  }

  /** Whether little enough is held to fetch again: at most one full flight. */
  boolean hasRoom() {
    return heldBytes <= HELD_BYTES_MAX / 4 * 3;
  }

  long heldBytes() {
    return heldBytes;
  }

  /** Fetched records that are not stored. */
  int held() {
    return flights.stream().mapToInt(Flight::records).sum();
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

  /** -1 if it is unknown. */
  long committedOffset() {
    return committed == null ? -1 : committed.offset();
  }
}
