package hourglass.store.pages;

import hourglass.bytes.ByteWords;
import java.util.Arrays;

/** Counts keys of up to 63 bits, in an open-addressed table. Not thread-safe. */
final class KeyCounts {
  interface Sink {
    void take(long key, int count);
  }

  private static final int SLOTS_MIN = 64;

  /** The keys, each plus 1; 0 if the slot is free. */
  private long[] keys = new long[SLOTS_MIN];

  private int[] counts = new int[SLOTS_MIN];

  /** The slots of keys; at most half of all slots. */
  private int[] used = new int[SLOTS_MIN / 2];

  private int size;

  /** Counts a key, and returns whether it is new. */
  boolean add(long key, int count) {
    int slot = slot(key + 1);
    boolean isNew = keys[slot] == 0;
    if (isNew) {
      if (size == used.length) {
        grow();
        slot = slot(key + 1);
      }
      put(slot, key + 1);
    }
    counts[slot] += count;
    return isNew;
  }

  private int slot(long wanted) {
    int mask = keys.length - 1;
    int slot = (int) (ByteWords.mix(wanted) >>> Integer.SIZE) & mask;
    while (keys[slot] != 0 && keys[slot] != wanted) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private void put(int slot, long key) {
    keys[slot] = key;
    used[size++] = slot;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldCounts = counts;
    keys = new long[2 * oldKeys.length];
    counts = new int[keys.length];
    used = new int[keys.length / 2];
    size = 0;
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != 0) {
        int slot = slot(oldKeys[i]);
        put(slot, oldKeys[i]);
        counts[slot] = oldCounts[i];
      }
    }
  }

  /** Passes all counts on, and begins anew. */
  void drain(Sink sink) {
    for (int i = 0; i < size; i++) {
      int slot = used[i];
      sink.take(keys[slot] - 1, counts[slot]);
      keys[slot] = 0;
      counts[slot] = 0;
    }
    size = 0;
  }

  /** Begins anew, even after a failure. */
  void clear() {
    if (size > 0) {
      Arrays.fill(keys, 0);
      Arrays.fill(counts, 0);
      size = 0;
    }
  }

  /** The number of slots. */
  int capacity() {
    return keys.length;
  }
}
