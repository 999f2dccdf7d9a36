package hourglass.ingest.kafka;

import hourglass.ingest.decode.RecordBatch;
import java.util.ArrayDeque;
import java.util.Deque;

/** Keeps arenas of landed flights, for reuse by a steady stream. Used by the poll loop alone. */
final class ArenaPool {
  /** The most memory of spare arenas, in all consumers of this process. */
  private static final int POOLED_BYTES_MAX = 20 << 20;

  /** The smallest arena that is kept. Smaller ones are cheap to allocate. */
  private static final int ARENA_BYTES_MIN = Flight.BYTES_MAX / 2;

  /** The largest arena that is kept. Larger ones belong to a few large records. */
  private static final int ARENA_BYTES_MAX = Flight.BYTES_MAX / 2 * 3;

  private final Deque<RecordBatch.Arena> spares = new ArrayDeque<>();
  private final long pooledBytesMax;
  private long pooledBytes;

  /** Creates a pool. All {@code consumers} of this process share the limit. */
  ArenaPool(int consumers) {
    this.pooledBytesMax = POOLED_BYTES_MAX / consumers;
  }

  /**
   * Takes a spare arena if the records fill half of it, or makes a new one. So the bytes that count
   * as held are at least half of the memory.
   */
  RecordBatch.Arena take(int records, long bytes) {
    RecordBatch.Arena spare = spares.peekLast();
    if (spare == null || bytes < spare.memory() / 2) {
      long room = Math.min(bytes + bytes / 4, Flight.BYTES_MAX);
      return new RecordBatch.Arena(Math.min(records, Flight.RECORDS_MAX), (int) room);
    }
    spares.removeLast();
    pooledBytes -= spare.memory();
    return spare;
  }

  /** Returns an arena to the pool. It must no longer be read. */
  void release(RecordBatch.Arena arena) {
    long bytes = arena.memory();
    if (bytes >= ARENA_BYTES_MIN
        && bytes <= ARENA_BYTES_MAX
        && pooledBytes + bytes <= pooledBytesMax) {
      spares.addLast(arena);
      pooledBytes += bytes;
    }
  }
}
