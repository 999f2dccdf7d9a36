package hourglass.ingest.decode;

/**
 * Counts how often each hash was seen, in 18 to 36 bytes for each, and half as much again while it
 * grows. Not thread-safe.
 */
final class RepeatCounts {
  private static final int CAPACITY_MIN = 64;
  private static final int SLOT_BYTES = Long.BYTES + Integer.BYTES;

  private final Memory memory;

  /** The reserved memory of the table. The smallest table is not worth a reservation. */
  private long reservedBytes;

  /**
   * The hashes; zero marks a free slot. A hash of zero is counted as one, whose repeats it then
   * shares.
   */
  private long[] hashes = new long[CAPACITY_MIN];

  private int[] counts = new int[CAPACITY_MIN];
  private int size;

  /** Counts in {@code memory}, whose owner frees the rest when the request ends. */
  RepeatCounts(Memory memory) {
    this.memory = memory;
  }

  /**
   * Returns how often the hash was seen before. Throws {@link Memory#tooMuch} if there is no memory
   * for the count.
   */
  int seen(long hash) {
    if (3 * (size + 1) > 2 * hashes.length) {
      grow();
    }
    int slot = slot(hash == 0 ? 1 : hash);
    return counts[slot]++;
  }

  private int slot(long hash) {
    int at = (int) hash & hashes.length - 1;
    while (hashes[at] != hash) {
      if (hashes[at] == 0) {
        hashes[at] = hash;
        size++;
        return at;
      }
      at = at + 1 & hashes.length - 1;
    }
    return at;
  }

  private void grow() {
    long[] hashesBefore = hashes;
    int[] countsBefore = counts;
    long bytes = 2L * hashesBefore.length * SLOT_BYTES;
    memory.reserve(bytes);
    hashes = new long[2 * hashesBefore.length];
    counts = new int[hashes.length];
    size = 0;
    for (int i = 0; i < hashesBefore.length; i++) {
      if (hashesBefore[i] != 0) {
        counts[slot(hashesBefore[i])] = countsBefore[i];
      }
    }
    memory.subtract(reservedBytes);
    reservedBytes = bytes;
  }
}
