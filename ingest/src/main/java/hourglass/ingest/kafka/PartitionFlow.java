package hourglass.ingest.kafka;

import hourglass.ingest.decode.FieldMapping;
import hourglass.ingest.decode.RecordArena;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The records of one partition from their fetch to the commit of their offsets: some wait, some are
 * on their way to the store in several flights, and an offset may be committed once every flight
 * before it has landed. Used by the poll loop alone.
 */
final class PartitionFlow {
  /** One waits for the disk while the next is decoded. */
  private static final int FLIGHTS_MAX = 2;

  /** After some three seconds of trying. */
  private static final int STUCK_FAILURES = 5;

  /** Of records fetched and not stored: beyond it the partition is paused. */
  private static final long HELD_BYTES_MAX = 8 << 20;

  private final TopicPartition partition;
  private final FieldMapping mapping;
  private final int eventBytesMax;
  private final ArenaPool spares;

  /** What waits; only the last takes more. */
  private final Deque<FlightBuilder> waiting = new ArrayDeque<>();

  private final Deque<Flight> flights = new ArrayDeque<>();
  private long heldBytes;
  private @Nullable OffsetAndMetadata reached;
  private @Nullable OffsetAndMetadata landed;
  private @Nullable OffsetAndMetadata committed;
  private boolean paused;
  private boolean given;

  /**
   * @param eventBytesMax a larger record is refused without another look
   */
  PartitionFlow(
      TopicPartition partition, FieldMapping mapping, int eventBytesMax, ArenaPool spares) {
    this.partition = partition;
    this.mapping = mapping;
    this.eventBytesMax = eventBytesMax;
    this.spares = spares;
  }

  TopicPartition partition() {
    return partition;
  }

  /**
   * Takes records that were fetched, in their order, and keeps nothing of the client's.
   *
   * @return how many had no value
   */
  int add(List<ConsumerRecord<ByteBuffer, ByteBuffer>> records) {
    int left = records.size();
    int deleted = 0;
    for (ConsumerRecord<ByteBuffer, ByteBuffer> record : records) {
      if (waiting.isEmpty() || !waiting.getLast().hasRoomFor(record)) {
        long bytes = left * FlightBuilder.valueBytes(record); // most are alike
        RecordArena arena = spares.take(left, bytes);
        waiting.add(new FlightBuilder(partition, mapping, eventBytesMax, arena));
      }
      heldBytes += waiting.getLast().add(record);
      left--;
      deleted += record.value() == null ? 1 : 0;
    }
    return deleted;
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
      flights.add(waiting.removeFirst().build(nowNanos));
    }
    return flights.stream().filter(flight -> flight.isDue(nowNanos)).toList();
  }

  private boolean isFlightFull() {
    return waiting.size() > 1 || !waiting.isEmpty() && waiting.getFirst().isFull();
  }

  /**
   * Puts two flights in the place of one that failed, each with half of its records: at once, and
   * so on, until those that keep the others from being stored are alone. What is refused in it
   * already, and sent on, is left out.
   */
  void halve(Flight flight, long nowNanos) {
    List<Integer> left = new ArrayList<>();
    for (int i = 0; i < flight.batch().size(); i++) {
      if (!flight.sentOn().contains(i)) {
        left.add(i);
      }
    }
    int middle = left.size() / 2;
    Flight second = part(flight, left.subList(middle, left.size()), nowNanos);
    second.goOnAt(flight.next());
    Deque<Flight> all = new ArrayDeque<>();
    for (Flight one : flights) {
      if (one != flight) {
        all.add(one);
      } else {
        if (middle > 0) {
          Flight first = part(flight, left.subList(0, middle), nowNanos);
          first.goOnAt(
              flight.next() == null // the offsets count from somewhere else now
                  ? null
                  : new OffsetAndMetadata(flight.batch().offset(left.get(middle))));
          heldBytes += first.heldBytes();
          all.add(first);
        }
        all.add(second);
      }
    }
    heldBytes += second.heldBytes() - flight.heldBytes();
    flights.clear();
    flights.addAll(all);
  }

  private Flight part(Flight of, List<Integer> places, long nowNanos) {
    // Not one of the spare arenas, nor that of the whole for them: the store may still read it.
    RecordArena arena = new RecordArena(places.size(), 0);
    FlightBuilder builder = new FlightBuilder(partition, mapping, eventBytesMax, arena);
    places.forEach(place -> builder.add(of.record(place)));
    Flight part = builder.build(nowNanos);
    part.inherit(of);
    return part;
  }

  /** Whether a write of it failed for a while. */
  boolean isStuck() {
    return flights.stream().anyMatch(flight -> flight.failures() >= STUCK_FAILURES);
  }

  /** Lets go of the flights that have landed, as far as none before them is on its way. */
  void settle() {
    while (!flights.isEmpty() && flights.getFirst().hasLanded()) {
      Flight first = flights.removeFirst();
      heldBytes -= first.heldBytes();
      spares.giveBack(first.batch().arena());
      landed = first.next() == null ? landed : first.next();
    }
    if (reached != null && isEmpty()) {
      landed = reached;
    }
  }

  /**
   * The offsets of the partition count from somewhere else now: what is held is stored as it would
   * have been, but says no more what may be committed.
   */
  void startOver() {
    waiting.forEach(FlightBuilder::forgetOffset);
    flights.forEach(Flight::forgetOffset);
    reached = null;
    landed = null;
    committed = null;
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

  /** Whether so little is held, no more than one full flight, that it may be fetched from again. */
  boolean hasRoom() {
    return heldBytes <= HELD_BYTES_MAX / 4 * 3;
  }

  long heldBytes() {
    return heldBytes;
  }

  /** How many records are fetched and not stored. */
  int held() {
    return waiting.stream().mapToInt(FlightBuilder::records).sum()
        + flights.stream().mapToInt(Flight::records).sum();
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
