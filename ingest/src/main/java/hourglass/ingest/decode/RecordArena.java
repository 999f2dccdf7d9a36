package hourglass.ingest.decode;

import java.util.Arrays;

/**
 * The memory of a batch of records; it grows as needed. Once nobody reads the batch any more, it
 * may serve another, which then costs the collector nothing. Not thread-safe.
 */
public final class RecordArena {
  /** Where an array ends that doubles: below what an array may have at the most. */
  private static final long BYTES_MAX = 1 << 30;

  /** What the arrays of numbers take for each record. */
  private static final long RECORD_BYTES = 2 * Integer.BYTES + 2 * Long.BYTES;

  byte[] bytes;

  // Of each record: where its value begins and ends in the bytes, its offset and time.
  int[] froms;
  int[] tos;
  long[] offsets;
  long[] ticks;

  /**
   * @param records room to begin with
   * @param valueBytes room to begin with, for the values of all
   */
  public RecordArena(int records, int valueBytes) {
    froms = new int[records];
    tos = new int[records];
    offsets = new long[records];
    ticks = new long[records];
    bytes = new byte[valueBytes + (records + 1) * Body.PADDING];
  }

  /** Bytes of memory that it takes. */
  public long memory() {
    return bytes.length + RECORD_BYTES * froms.length;
  }

  /**
   * Makes room for one record more.
   *
   * @param records how many there are
   * @param bytesNeeded by all, that one among them
   */
  void reserve(int records, int bytesNeeded) {
    if (bytesNeeded > bytes.length) {
      int doubled = (int) Math.min(2L * bytes.length, BYTES_MAX);
      bytes = Arrays.copyOf(bytes, Math.max(bytesNeeded, doubled));
    }
    if (records == froms.length) {
      int room = Math.max(16, 2 * records);
      froms = Arrays.copyOf(froms, room);
      tos = Arrays.copyOf(tos, room);
      offsets = Arrays.copyOf(offsets, room);
      ticks = Arrays.copyOf(ticks, room);
    }
  }
}
