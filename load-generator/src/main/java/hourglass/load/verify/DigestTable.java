package hourglass.load.verify;

import hourglass.command.FigureText;
import hourglass.load.command.LoadFailure;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * A multiset of 128-bit digests, stored in one array in which keys and payloads alternate. It
 * occupies 16 bytes an event, and up to half as much again while it grows. Not thread-safe.
 */
final class DigestTable {
  private final int capacityMax;
  private long[] pairs;
  private int size;

  /**
   * Creates an empty table.
   *
   * @param capacityMax the most digests; beyond them {@link #add} throws a {@link LoadFailure}
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
          FigureText.format(
              "--verify holds 16 bytes for every event sent and read, and this heap has room for %,d of each: use a larger heap (-Xmx)",
              capacityMax));
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

  final class Group {
    private int at;
    private int end;

    boolean nextGroup() {
      return end < size;
    }

    /** Returns the key of the next group, or the largest number after the last group. */
    long nextKey() {
      return end < size ? key(end) : Long.MAX_VALUE;
    }

    /** Moves on to the next group, which is empty if it has another key. */
    void enter(long key) {
      at = end;
      while (end < size && key(end) == key) {
        end++;
      }
    }

    int left() {
      return end - at;
    }

    /** Returns the least payload left, or the largest number if none is left. */
    long payload() {
      return at < end ? DigestTable.this.payload(at) : Long.MAX_VALUE;
    }

    /**
     * Passes all entries with this payload if it is the least one left, and returns their number.
     */
    int take(long payload) {
      int from = at;
      while (at < end && DigestTable.this.payload(at) == payload) {
        at++;
      }
      return at - from;
    }

    boolean contains(long payload) {
      return IntStream.range(at, end).anyMatch(i -> DigestTable.this.payload(i) == payload);
    }
  }

  /** Sorts in place by key, then by payload, as signed numbers. */
  void sort() {
    sort(0, size - 1);
  }

  /**
   * Sorts by three-way quicksort, because many digests are equal. Digests are random, so the middle
   * one is a good pivot.
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
        int byKey = Long.compare(key(i), key);
        int order = byKey != 0 ? byKey : Long.compare(payload(i), payload);
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

  private void swap(int i, int j) {
    long key = key(i);
    long payload = payload(i);
    pairs[2 * i] = key(j);
    pairs[2 * i + 1] = payload(j);
    pairs[2 * j] = key;
    pairs[2 * j + 1] = payload;
  }
}
