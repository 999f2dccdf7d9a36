package hourglass.query.values;

import java.util.Arrays;

/**
 * Counts distinct values, exactly up to 256, and beyond with an error of about 6 %, from the least
 * of their hashes (Bar-Yossef et al., Counting Distinct Elements in a Data Stream, 2002). Not
 * thread-safe.
 */
final class DistinctSketch {
  private static final int HASHES_MAX = 256;

  /** The least hashes, ascending, of 63 bits each. The first {@code size} elements are in use. */
  private long[] least = new long[8];

  private int size;

  /** Whether a hash was left out. */
  private boolean full;

  void add(byte[] bytes, int from, int to) {
    add(hash(bytes, from, to));
  }

  private void add(long hash) {
    if (full && hash >= least[size - 1]) {
      return;
    }
    int at = Arrays.binarySearch(least, 0, size, hash);
    if (at >= 0) {
      return;
    }
    if (size == HASHES_MAX) {
      full = true;
      if (hash >= least[size - 1]) {
        return;
      }
      size--;
    }
    if (size == least.length) {
      least = Arrays.copyOf(least, Math.min(HASHES_MAX, 4 * size));
    }
    int to = -1 - at;
    System.arraycopy(least, to, least, to + 1, size - to);
    least[to] = hash;
    size++;
  }

  void addAll(DistinctSketch others) {
    full |= others.full;
    for (int i = 0; i < others.size; i++) {
      add(others.least[i]);
    }
  }

  boolean isExact() {
    return !full;
  }

  /**
   * Returns the number of values. If it is no longer exact, it is more than 256, since one more was
   * met.
   */
  long count() {
    return full
        ? Math.max(size + 1, Math.round((size - 1.0) * Long.MAX_VALUE / least[size - 1]))
        : size;
  }

  /** Returns the hash of a value by FNV-1a, finished as in SplitMix64, without the sign. */
  private static long hash(byte[] bytes, int from, int to) {
    long hash = 0xcbf29ce484222325L;
    for (int i = from; i < to; i++) {
      hash = (hash ^ (bytes[i] & 0xff)) * 0x100000001b3L;
    }
    hash = (hash ^ (hash >>> 30)) * 0xbf58476d1ce4e5b9L;
    hash = (hash ^ (hash >>> 27)) * 0x94d049bb133111ebL;
    return (hash ^ (hash >>> 31)) & Long.MAX_VALUE;
  }
}
