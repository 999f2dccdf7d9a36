package hourglass.ingest.kafka;

import hourglass.ingest.RecordArena;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Arenas of flights that have landed, for the next ones: so a stream of records needs no new memory
 * for its copies. Used by the poll loop alone.
 */
final class SpareArenas {
  /** What lies here at the most, in all consumers of this process. */
  private static final int KEPT_BYTES_MAX = 20 << 20;

  /** Smaller ones are cheap to make anew. */
  private static final int ARENA_BYTES_MIN = FlightBuilder.BYTES_MAX / 8;

  /** Larger ones are those of a few large records. */
  private static final int ARENA_BYTES_MAX = 2 * FlightBuilder.BYTES_MAX;

  private final Deque<RecordArena> spares = new ArrayDeque<>();
  private final long keptMax;
  private long kept;

  /**
   * @param consumers how many share the process
   */
  SpareArenas(int consumers) {
    this.keptMax = KEPT_BYTES_MAX / consumers;
  }

  /**
   * A spare one, or if there is none, a new one.
   *
   * @param records how many are probably to come
   * @param bytes of their values
   */
  RecordArena take(int records, int bytes) {
    RecordArena spare = spares.pollLast();
    if (spare == null) {
      return new RecordArena(records, bytes);
    }
    kept -= spare.capacity();
    return spare;
  }

  /** Keeps one that nobody reads any more, if there is room. */
  void giveBack(RecordArena arena) {
    int bytes = arena.capacity();
    if (bytes >= ARENA_BYTES_MIN && bytes <= ARENA_BYTES_MAX && kept + bytes <= keptMax) {
      spares.addLast(arena);
      kept += bytes;
    }
  }
}
