package hourglass.ingest.decode;

import java.util.Arrays;

/**
 * The memory of a batch of records. It grows as needed, and may serve another batch when the last
 * one is done, which saves garbage. Not thread-safe.
 */
public final class RecordArena {
  /** An array doubles up to this length. */
  private static final long BYTES_MAX = 1 << 30;

  /** Memory of the number arrays for each record. */
  private static final long RECORD_BYTES = 2 * Integer.BYTES + 2 * Long.BYTES;

  byte[] bytes;

  // For each record: the range of its value, its offset and its time.
  int[] froms;
  int[] tos;
  long[] offsets;
  long[] ticks;

  /**
   * @param records initial capacity
   * @param valueBytes initial capacity for all values
   */
  public RecordArena(int records, int valueBytes) {
    froms = new int[records];
    tos = new int[records];
    offsets = new long[records];
    ticks = new long[records];
    bytes = new byte[valueBytes + (records + 1) * Body.PADDING];
  }

  /** The memory of all arrays, in bytes. */
  public long memory() {
    return bytes.length + RECORD_BYTES * froms.length;
  }

  /**
   * Makes room for another record.
   *
   * @param records number of records before it
   * @param bytesNeeded bytes of all records with it
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
