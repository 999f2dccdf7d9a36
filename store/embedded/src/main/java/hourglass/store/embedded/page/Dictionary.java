package hourglass.store.embedded.page;

import java.util.Arrays;

/** Collects the distinct values of a field, as long as they are few. Not thread-safe; reused. */
final class Dictionary {
  private static final int SLOTS = 4 * ColumnsLayout.ENTRIES_MAX;

  /** From so many values on, half of which are distinct, hope is given up. */
  private static final int SAMPLE = 64;

  /** The entry (from 1) in each slot of a hash table. */
  private final short[] slots = new short[SLOTS];

  /** The value that was the first to be each entry. */
  private final int[] first = new int[ColumnsLayout.ENTRIES_MAX];

  private int entries;

  /**
   * Numbers the values of a field by what they are.
   *
   * @param numbers receives the number of each value's entry
   * @return whether values repeat often enough for a dictionary to pay
   */
  boolean collect(Field field, byte[] bytes, long[] numbers) {
    Arrays.fill(slots, (short) 0);
    entries = 0;
    for (int i = 0; i < field.count(); i++) {
      int entry = find(field, bytes, i);
      if (entry < 0 || i >= SAMPLE && entries * 2 > i) {
        return false;
      }
      numbers[i] = entry;
    }
    return entries * 3 <= field.count();
  }

  /** The entry of a value, added if new; -1 if there is no room for it. */
  private int find(Field field, byte[] bytes, int value) {
    int start = field.start(value);
    int length = field.length(value);
    int slot = Words.hash(bytes, start, length) & SLOTS - 1;
    while (slots[slot] != 0) {
      int entry = slots[slot] - 1;
      int other = first[entry];
      if (field.length(other) == length
          && Words.equal(bytes, field.start(other), bytes, start, length)) {
        return entry;
      }
      slot = slot + 1 & SLOTS - 1;
    }
    if (entries == first.length) {
      return -1;
    }
    first[entries] = value;
    slots[slot] = (short) (entries + 1);
    return entries++;
  }

  int entries() {
    return entries;
  }

  /** The value that was the first to be this entry. */
  int first(int entry) {
    return first[entry];
  }
}
