package hourglass.load.verify;

import hourglass.load.command.LoadFailure;
import java.util.Arrays;

/**
 * A multiset of 128-bit digests in one array of longs: 16 bytes an event, a half more while it
 * grows.
 *
 * <pre>
 *   [key 0][payload 0][key 1][payload 1] ...
 * </pre>
 *
 * Not for several threads.
 */
public final class DigestTable {
  private final int capacityMax;
  private long[] pairs;
  private int size;

  /**
   * @param capacityMax how many digests at most; beyond, {@link #add} throws a {@link LoadFailure}
   */
  DigestTable(int capacityMax) {
    this.capacityMax = capacityMax;
    this.pairs = new long[2 * Math.min(capacityMax, 1 << 12)];
  }

  void add(long key, long payload) {
    if (2 * size == pairs.length) {
      grow();
    }
    pairs[2 * size] = key;
    pairs[2 * size + 1] = payload;
    size++;
  }

  private void grow() {
    if (size >= capacityMax) {
      throw new LoadFailure(
          "--verify holds 16 bytes for every event sent and read, and this heap has room for %,d of each: use a larger heap (-Xmx)"
              .formatted(capacityMax));
    }
    int capacity = (int) Math.min(capacityMax, size + (long) (size >> 1) + 1);
    pairs = Arrays.copyOf(pairs, 2 * capacity);
  }

  int size() {
    return size;
  }

  long key(int i) {
    return pairs[2 * i];
  }

  long payload(int i) {
    return pairs[2 * i + 1];
  }

  /** Orders by key, then payload, as signed numbers. In place. */
  void sort() {
    sort(0, size - 1);
  }

  /**
   * Quicksort by three parts: digests are random, so the middle is a good pivot; equal ones are
   * many.
   */
  private void sort(int from, int to) {
    int low = from;
    int high = to;
    while (low < high) {
      long key = key(low + high >>> 1);
      long payload = payload(low + high >>> 1);
      int less = low;
      int more = high;
      for (int i = low; i <= more; ) {
        int order = compare(i, key, payload);
        if (order < 0) {
          swap(i++, less++);
        } else if (order > 0) {
          swap(i, more--);
        } else {
          i++;
        }
      }
      if (less - low < high - more) {
        sort(low, less - 1);
        low = more + 1;
      } else {
        sort(more + 1, high);
        high = less - 1;
      }
    }
  }

  private int compare(int i, long key, long payload) {
    int order = Long.compare(key(i), key);
    return order != 0 ? order : Long.compare(payload(i), payload);
  }

  private void swap(int i, int j) {
    long key = key(i);
    long payload = payload(i);
    pairs[2 * i] = key(j);
    pairs[2 * i + 1] = payload(j);
    pairs[2 * j] = key;
    pairs[2 * j + 1] = payload;
  }
}
