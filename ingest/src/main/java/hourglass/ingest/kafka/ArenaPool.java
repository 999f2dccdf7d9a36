package hourglass.ingest.kafka;

import hourglass.ingest.decode.RecordArena;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Arenas of flights that have landed, for the next ones: so a stream of records needs no new memory
 * for its copies. Used by the poll loop alone.
 */
final class ArenaPool {
  /** What lies here at the most, in all consumers of this process. */
  private static final int KEPT_BYTES_MAX = 20 << 20;

  /** Smaller ones are cheap to make anew. */
  private static final int ARENA_BYTES_MIN = FlightBuilder.BYTES_MAX / 2;

  /** Larger ones are those of a few large records. */
  private static final int ARENA_BYTES_MAX = FlightBuilder.BYTES_MAX / 2 * 3;

  private final Deque<RecordArena> spares = new ArrayDeque<>();
  private final long keptMax;
  private long kept;

  /**
   * @param consumers how many share the process
   */
  ArenaPool(int consumers) {
    this.keptMax = KEPT_BYTES_MAX / consumers;
  }

  /**
   * A spare one if enough is to come that half of it is used, so that what is counted as held is at
   * least half of what memory it takes; else a new one.
   *
   * @param records how many are to come for now
   * @param bytes of their values, about
   */
  RecordArena take(int records, long bytes) {
    RecordArena spare = spares.peekLast();
    if (spare == null || bytes < spare.memory() / 2) {
      long room = Math.min(bytes + bytes / 4, FlightBuilder.BYTES_MAX);
      return new RecordArena(Math.min(records, FlightBuilder.RECORDS_MAX), (int) room);
    }
    spares.removeLast();
    kept -= spare.memory();
    return spare;
  }

  /** Keeps one that nobody reads any more, if there is room. */
  void giveBack(RecordArena arena) {
    long bytes = arena.memory();
    if (bytes >= ARENA_BYTES_MIN && bytes <= ARENA_BYTES_MAX && kept + bytes <= keptMax) {
      spares.addLast(arena);
      kept += bytes;
    }
  }
}
