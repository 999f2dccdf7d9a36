package hourglass.store.pages;

import hourglass.bytes.ByteWords;
import hourglass.store.pages.runs.PageOutput;
import java.util.Arrays;

/**
 * Collects the distinct values of a page for its {@link ValueFilter}. It collects none before
 * {@link #clear}. Not thread-safe; reused.
 */
final class ValueFilterWriter {
  /**
   * The bits of a value in the filter. As each value sets four of them, one of sixty pages without
   * a value seems to contain it.
   */
  private static final int BITS_PER_VALUE = 10;

  /** The least bits of a value; with fewer, most pages seem to contain any value. */
  private static final int BITS_PER_VALUE_MIN = 4;

  /** The divisor of the page's bytes that gives the most bytes of a filter. */
  private static final int SHARE = 4;

  /**
   * The most values: ten for each column of the widest page of small events. All further values
   * count as one.
   */
  private static final int VALUES_MAX = 1 << 14;

  /**
   * The bits of a value in an index, about; the next is the divisor of the page's bytes that gives
   * the most bytes of its part of an index.
   */
  private static final int INDEX_BITS_PER_VALUE = 11;

  private static final int INDEX_SHARE = 3;

  /** The room for the hashes of fields that have more values. */
  private static final int ROOM = 1 << 10;

  private final long[] hashes = new long[VALUES_MAX + ROOM];
  private int count;

  /** The key of the last field that added its mark for texts of several words. */
  private long keyOfSeveralWords;

  /** An open-addressed set of the hashes. */
  private final long[] slots = new long[2 * VALUES_MAX];

  private int mask;
  private boolean isComplete;

  /** Begins a page with this number of values, equal ones included. */
  void clear(int values) {
    mask = Integer.highestOneBit(Math.min(4 * values, slots.length)) - 1;
    Arrays.fill(slots, 0, mask + 1, 0);
    count = 0;
    keyOfSeveralWords = ValueHash.NOTHING;
    isComplete = true;
  }

  void addAll(Field field, byte[] bytes) {
    for (int i = 0; i < field.count() && isComplete; i++) {
      add(field, bytes, field.start(i), field.end(i));
    }
  }

  /** Adds one hash for a whole field: times, or close numbers, of which most pages contain any. */
  void addNone(Field field) {
    isComplete &= field.hasKey();
    if (!isComplete) {
      return;
    }
    put(ValueHash.other(field.key()));
  }

  void add(Field field, byte[] bytes, int from, int to) {
    isComplete &= field.hasKey(); // a filter must contain all values
    if (!isComplete) {
      return;
    }
    long hash =
        switch (field.kind()) {
          case ValueSpans.STRING -> ValueHash.ofString(field.key(), bytes, from, to);
          case ValueSpans.SCALAR -> ValueHash.ofScalar(field.key(), bytes, from, to);
          default -> ValueHash.NOTHING;
        };
    if (field.kind() == ValueSpans.COMPOUND) {
      isComplete &= bytes[from] != '{'; // its members are not values of the page
      putSeveralWords(field.key());
    } else if (hash != ValueHash.NOTHING) {
      put(count < VALUES_MAX ? hash : ValueHash.other(field.key()));
      if (field.kind() == ValueSpans.STRING && ByteWords.find((byte) ' ', bytes, from, to) >= 0) {
        putSeveralWords(field.key());
      }
    }
  }

  private void putSeveralWords(long key) {
    if (key != keyOfSeveralWords || key == ValueHash.NOTHING) {
      put(ValueHash.severalWords(key));
      keyOfSeveralWords = key;
    }
  }

  private void put(long hash) {
    int slot = (int) (hash >>> Integer.SIZE) & mask;
    while (slots[slot] != 0 && slots[slot] != hash) {
      slot = slot + 1 & mask;
    }
    if (slots[slot] == 0) {
      isComplete &= count < hashes.length;
      if (isComplete) {
        slots[slot] = hash;
        hashes[count++] = hash;
      }
    }
  }

  /** Passes the hashes to a sink; false if some are missing, or the index would be too large. */
  boolean passOn(int pageBytes, PageCodec.ValueSink values) {
    long indexBits = (long) INDEX_BITS_PER_VALUE * count * INDEX_SHARE;
    if (!isComplete || indexBits > (long) Byte.SIZE * pageBytes) {
      return false;
    }
    values.accept(hashes, count);
    return true;
  }

  /** Writes a filter. Returns false and writes nothing if it is impossible or not worthwhile. */
  boolean write(int pageBytes, PageOutput out) {
    int bytesMax = pageBytes / SHARE;
    int blocks = blocks(BITS_PER_VALUE);
    blocks = Math.min(Math.min(blocks, ValueFilter.BLOCKS_MAX), bytesMax / ValueFilter.BLOCK_BYTES);
    if (!isComplete || blocks < blocks(BITS_PER_VALUE_MIN)) {
      return false;
    }
    ValueFilter.write(hashes, count, blocks, out);
    return true;
  }

  private int blocks(int bitsPerValue) {
    int blockBits = ValueFilter.BLOCK_BYTES * Byte.SIZE;
    return Math.max(1, (count * bitsPerValue + blockBits - 1) / blockBits);
  }
}
