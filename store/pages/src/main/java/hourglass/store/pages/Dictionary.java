package hourglass.store.pages;

import hourglass.bytes.ByteWords;
import hourglass.store.pages.runs.Indexes;
import hourglass.store.pages.runs.PageOutput;
import java.util.Arrays;

/** Numbers distinct texts from 0 on, as long as they are few. Not thread-safe; reused. */
final class Dictionary {
  static final int ENTRIES_MAX = Indexes.OF_MAX;

  private static final int SLOTS = 4 * ENTRIES_MAX;

  // The factors are odd and without a pattern: a product's upper bits depend on all bits below.
  private static final long FACTOR = 0x9E3779B97F4A7C15L;
  private static final long OTHER_FACTOR = 0xC2B2AE3D27D4EB4FL;

  /** The entries (from 1) in the slots of a hash table. */
  private final short[] slots = new short[SLOTS];

  // These are each entry's end, and its first and last eight bytes, which identify texts of up to
  // sixteen bytes.
  private final int[] ends = new int[ENTRIES_MAX + 1];
  private final long[] heads = new long[ENTRIES_MAX];
  private final long[] tails = new long[ENTRIES_MAX];
  private byte[] texts = new byte[1 << 12];
  private int entries;

  void clear() {
    Arrays.fill(slots, (short) 0);
    entries = 0;
  }

  /** Finds a text, and adds it if it is new; -1 if there is no room for it. */
  int find(byte[] bytes, int from, int length) {
    long head = ByteWords.head(bytes, from, length);
    long tail = length > Long.BYTES ? ByteWords.get(bytes, from + length - Long.BYTES) : length;
    long hash = head * FACTOR + tail * OTHER_FACTOR;
    if (length > 2 * Long.BYTES) {
      hash ^= ByteWords.get(bytes, from + (length >>> 1)) * OTHER_FACTOR;
    }
    int slot = (int) (hash >>> 48) & SLOTS - 1;
    while (slots[slot] != 0) {
      int entry = slots[slot] - 1;
      if (heads[entry] == head
          && tails[entry] == tail
          && length(entry) == length
          && (length <= 2 * Long.BYTES
              || ByteWords.equal(texts, ends[entry], bytes, from, length))) {
        return entry;
      }
      slot = slot + 1 & SLOTS - 1;
    }
    return entries == ENTRIES_MAX ? -1 : add(slot, head, tail, bytes, from, length);
  }

  private int add(int slot, long head, long tail, byte[] bytes, int from, int length) {
    int start = ends[entries];
    if (texts.length - start < length) {
      texts = Arrays.copyOf(texts, Math.max(start + length, 2 * texts.length));
    }
    System.arraycopy(bytes, from, texts, start, length);
    heads[entries] = head;
    tails[entries] = tail;
    slots[slot] = (short) (entries + 1);
    ends[entries + 1] = start + length;
    return entries++;
  }

  int entries() {
    return entries;
  }

  private int length(int entry) {
    return ends[entry + 1] - ends[entry];
  }

  void addTo(ValueFilterWriter filter, Field field) {
    for (int entry = 0; entry < entries; entry++) {
      filter.add(field, texts, ends[entry], ends[entry + 1]);
    }
  }

  /**
   * Whether the entries lie apart from the description: if they are many bytes, and none is an
   * array or object.
   */
  boolean areApart() {
    if (ends[entries] <= ColumnsLayout.ENTRIES_INSIDE_BYTES_MAX) {
      return false;
    }
    for (int entry = 0; entry < entries; entry++) {
      if (Values.isCompound(texts, ends[entry], length(entry))) {
        return false;
      }
    }
    return true;
  }

  /** Writes the texts, without their number. */
  void write(PageOutput out) {
    for (int entry = 0; entry < entries; entry++) {
      out.putVarint(length(entry));
      out.putBytes(texts, ends[entry], length(entry));
    }
  }
}
