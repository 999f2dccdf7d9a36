package hourglass.ingest.decode;

/** Counts how often each hash was seen, in 16 bytes or less for each. Not thread-safe. */
final class RepeatCounts {
  private static final int CAPACITY_MIN = 64;

  /** Zero: free. A hash of zero is counted as one, whose repeats it then shares. */
  private long[] hashes = new long[CAPACITY_MIN];

  private int[] counts = new int[CAPACITY_MIN];
  private int size;

  /** How often it was seen before. */
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
    hashes = new long[2 * hashesBefore.length];
    counts = new int[hashes.length];
    size = 0;
    for (int i = 0; i < hashesBefore.length; i++) {
      if (hashesBefore[i] != 0) {
        counts[slot(hashesBefore[i])] = countsBefore[i];
      }
    }
  }
}
