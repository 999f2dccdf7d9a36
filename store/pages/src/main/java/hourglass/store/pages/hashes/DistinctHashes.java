package hourglass.store.pages.hashes;

import java.util.Arrays;

/** Collects distinct hashes that are not 0, in an open-addressed set. Not thread-safe; reused. */
public final class DistinctHashes {
  private final int most;
  private final int slotCount;
  private long[] hashes = {};
  private long[] slots = {};
  private int mask;
  private int count;

  /**
   * Creates a set of up to {@code most} hashes. It has no room before {@link #clear}.
   *
   * @param most about half of {@code slotCount}, a power of two, or less
   */
  public DistinctHashes(int most, int slotCount) {
    this.most = most;
    this.slotCount = slotCount;
  }

  /** Empties the set, for about so many hashes, or fewer. */
  public void clear(int expected) {
    if (slots.length == 0) {
      hashes = new long[most];
      slots = new long[slotCount];
    }
    mask = Integer.highestOneBit(Math.max(1, Math.min(4 * expected, slots.length))) - 1;
    Arrays.fill(slots, 0, mask + 1, 0);
    count = 0;
  }

  /** The outcome of {@link #add}. */
  public enum Added {
    NEW,
    KNOWN,
    /** The hash is new, and there is no room for it. */
    FULL
  }

  public Added add(long hash) {
    int slot = (int) (hash >>> Integer.SIZE) & mask;
    while (slots[slot] != 0 && slots[slot] != hash) {
      slot = slot + 1 & mask;
    }
    if (slots[slot] != 0) {
      return Added.KNOWN;
    }
    if (count == hashes.length || count == mask) {
      return Added.FULL;
    }
    slots[slot] = hash;
    hashes[count++] = hash;
    return Added.NEW;
  }

  public int count() {
    return count;
  }

  /** Copies the hashes to the place {@code at} of an array. */
  public void copy(long[] to, int at) {
    System.arraycopy(hashes, 0, to, at, count);
  }
}
