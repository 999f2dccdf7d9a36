package hourglass.store.embedded.firsttimes;

import java.security.SecureRandom;

/**
 * A hash table with linear probing and 24 bytes a slot, for events that are hashes already. Not
 * thread-safe.
 */
final class FirstTimeTable {
  static final int ABSENT = -1;

  /**
   * The bit in the ticks of a slot that marks a first time in a file. Ticks are less than 2^60, and
   * never 0.
   */
  private static final long IN_FILE = Long.MIN_VALUE;

  private static final int BITS_MIN = 6;

  /**
   * An odd factor that no client knows. It spreads keys that a client has chosen (multiply-shift
   * hashing).
   */
  private static final long FACTOR = new SecureRandom().nextLong() | 1;

  private int bits = BITS_MIN;
  private long[] lsbs = new long[1 << BITS_MIN];
  private long[] mores = new long[1 << BITS_MIN];
  private long[] ticks = new long[1 << BITS_MIN];
  private int size;

  int size() {
    return size;
  }

  /** The slot of an event, or {@link #ABSENT}. */
  int find(long lsb, long more) {
    int slot = slot(lsb, more);
    return ticks[slot] == 0 ? ABSENT : slot;
  }

  long ticks(int slot) {
    return ticks[slot] & ~IN_FILE;
  }

  boolean isInFile(int slot) {
    return (ticks[slot] & IN_FILE) != 0;
  }

  void setInFile(int slot, boolean isInFile) {
    ticks[slot] = isInFile ? ticks[slot] | IN_FILE : ticks[slot] & ~IN_FILE;
  }

  /** Puts an event, and returns its slot, which is valid until the next event is put. */
  int put(long lsb, long more, long firstTicks) {
    if (find(lsb, more) == ABSENT) {
      if (size + 1 > ticks.length - ticks.length / 4) {
        grow();
      }
      size++;
    }
    return set(lsb, more, firstTicks);
  }

  private int set(long lsb, long more, long slotTicks) {
    int slot = slot(lsb, more);
    lsbs[slot] = lsb;
    mores[slot] = more;
    ticks[slot] = slotTicks;
    return slot;
  }

  /** Returns the slot of the event, or the free slot for it. */
  private int slot(long lsb, long more) {
    int mask = ticks.length - 1;
    int slot = (int) ((lsb ^ Long.rotateLeft(more, 32)) * FACTOR >>> Long.SIZE - bits);
    while (ticks[slot] != 0 && (lsbs[slot] != lsb || mores[slot] != more)) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private void grow() {
    long[] lsbsBefore = lsbs;
    long[] moresBefore = mores;
    long[] ticksBefore = ticks;
    int slots = 1 << bits + 1;
    long[] lsbsAfter = new long[slots]; // all are allocated first, as memory may be short
    long[] moresAfter = new long[slots];
    long[] ticksAfter = new long[slots];
    bits++;
    lsbs = lsbsAfter;
    mores = moresAfter;
    ticks = ticksAfter;
    for (int i = 0; i < ticksBefore.length; i++) {
      if (ticksBefore[i] != 0) {
        set(lsbsBefore[i], moresBefore[i], ticksBefore[i]);
      }
    }
  }
}
