package hourglass.query.values;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Counts of values, exact as long as all fit, with a known error beyond that. Not thread-safe.
 *
 * <p>The method is lossy counting (Manku and Motwani, Approximate Frequency Counts over Data
 * Streams, 2002), but pruned when memory is full. Pruning drops the rarer half; its highest
 * possible count, {@code droppedMax}, bounds the earlier occurrences of a value that is absent or
 * returns.
 *
 * <pre>
 * count &lt;= occurrences of a value &lt;= count + missed
 * occurrences of an absent value &lt;= droppedMax
 * </pre>
 *
 * <p>The values are in a hash table of numbers, with open addresses and a seed that no client
 * knows. Their texts are one after the other in an array. A table of many values is larger than a
 * core's cache, so a look-up reads few places: a slot, which has the hash too, and a text.
 */
final class ValueCounts {
  /** The memory of an entry in the arrays, which are at most half empty. */
  private static final int ENTRY_BYTES = 56;

  private static final long SEED = new SplittableRandom().nextLong();

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final Comparator<CountedValue> OFTENEST_FIRST =
      Comparator.<CountedValue>comparingLong(value -> -value.count)
          .thenComparing(CountedValue::compareBytes);

  private final int bytesMax;
  private long droppedMax;

  // The fields of each value, in order of arrival:
  private int size;
  private byte[] texts = new byte[64];
  private int[] ends = new int[8];
  private long[] counts = new long[8];
  private long[] missed = new long[8];

  /**
   * The numbers of the values, at the slots to which their hashes lead. The length is a power of
   * two, and half of the table is empty.
   *
   * <pre>
   *   hash (32 bits) | number, counted from 1 (32)
   * </pre>
   */
  private long[] table = new long[16];

  ValueCounts(int bytesMax) {
    this.bytesMax = bytesMax;
  }

  void add(byte[] text, int from, int to, long events) {
    add(text, from, to, hash(text, from, to), events);
  }

  /**
   * Adds texts that follow each other, with their events.
   *
   * @param ends the end of each text
   * @param hashes those of {@link #hash}
   */
  void add(byte[] following, int[] ends, int[] hashes, int[] events, int size) {
    if (fetch(hashes, size) < 0) { // looked at, so that it is not optimized away
      throw new ArithmeticException("more than 2^63 events");
    }
    int from = 0;
    for (int i = 0; i < size; i++) {
      add(following, from, ends[i], hashes[i], events[i]);
      from = ends[i];
    }
  }

  /**
   * Reads the places with which texts will be compared, without a decision between them. The
   * processor then waits for many of them at a time, not for one after the other.
   *
   * @return a sum over all
   */
  private long fetch(int[] hashes, int size) {
    long all = 0;
    for (int i = 0; i < size; i++) {
      int value = (int) table[hashes[i] & table.length - 1] - 1;
      all += value < 0 ? 0 : counts[value] + (texts[start(value)] & 1);
    }
    return all;
  }

  private void add(byte[] text, int from, int to, int hash, long events) {
    int at = slotOf(text, from, to, hash);
    if (table[at] != 0) {
      counts[valueAt(at)] += events;
      return;
    }
    append(text, from, to, events, at, hash);
    while (bytes() > bytesMax) {
      drop();
    }
  }

  /** Returns the slot of a text in the table, or the empty slot where it belongs. */
  private int slotOf(byte[] text, int from, int to, int hash) {
    int mask = table.length - 1;
    int at = hash & mask;
    while (table[at] != 0
        && (hashOf(table[at]) != hash
            || !Arrays.equals(texts, start(valueAt(at)), ends[valueAt(at)], text, from, to))) {
      at = (at + 1) & mask;
    }
    return at;
  }

  private int valueAt(int at) {
    return (int) table[at] - 1;
  }

  /** Returns the hash of a text by the folded products of wyhash (Wang Yi, 2019). */
  static int hash(byte[] text, int from, int to) {
    long hash = SEED ^ (to - from);
    int at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      hash = mix(hash ^ (long) LONGS.get(text, at), 0xa0761d6478bd642fL);
    }
    long rest = 0;
    for (; at < to; at++) {
      rest = rest << Byte.SIZE | (text[at] & 0xff);
    }
    hash = mix(hash ^ rest, 0xe7037ed1a0b428dbL);
    return (int) (hash ^ (hash >>> Integer.SIZE));
  }

  private static long mix(long a, long b) {
    return a * b ^ Math.multiplyHigh(a, b);
  }

  private static long slot(int hash, int numberFrom1) {
    return (long) hash << Integer.SIZE | numberFrom1;
  }

  private static int hashOf(long slot) {
    return (int) (slot >>> Integer.SIZE);
  }

  private void append(byte[] text, int from, int to, long events, int at, int hash) {
    if (size == ends.length) {
      ends = Arrays.copyOf(ends, 2 * size);
      counts = Arrays.copyOf(counts, 2 * size);
      missed = Arrays.copyOf(missed, 2 * size);
    }
    int start = start(size);
    int end = start + to - from;
    if (end >= texts.length) { // an empty text has a first byte to fetch, too
      texts = Arrays.copyOf(texts, (int) Math.max(end, Math.min(1 << 30, 2L * texts.length)));
    }
    System.arraycopy(text, from, texts, start, to - from);
    ends[size] = end;
    counts[size] = events;
    missed[size] = droppedMax;
    size++;
    table[at] = slot(hash, size);
    if (2 * size > table.length) {
      grow();
    }
  }

  private int start(int value) {
    return value == 0 ? 0 : ends[value - 1];
  }

  private void grow() {
    long[] slots = table;
    table = new long[2 * slots.length];
    putAll(slots);
  }

  private void putAll(long[] slots) {
    for (long slot : slots) {
      if (slot != 0) {
        put(slot);
      }
    }
  }

  private void put(long slot) {
    int mask = table.length - 1;
    int at = hashOf(slot) & mask;
    while (table[at] != 0) {
      at = (at + 1) & mask;
    }
    table[at] = slot;
  }

  /**
   * Adds other counts. Each bound of a sum is the sum of both bounds. A value that is absent from
   * one of the two may be among the values that it dropped.
   */
  void addAll(ValueCounts others) {
    for (int value = 0; value < size; value++) {
      missed[value] += others.droppedMax;
    }
    for (int value = 0; value < others.size; value++) {
      int from = others.start(value);
      int to = others.ends[value];
      int hash = hash(others.texts, from, to);
      int at = slotOf(others.texts, from, to, hash);
      if (table[at] == 0) {
        append(others.texts, from, to, others.counts[value], at, hash);
        missed[size - 1] = droppedMax + others.missed[value];
      } else {
        counts[valueAt(at)] += others.counts[value];
        missed[valueAt(at)] += others.missed[value] - others.droppedMax;
      }
    }
    droppedMax += others.droppedMax;
    if (bytes() > bytesMax) {
      while (bytes() > bytesMax) {
        drop();
      }
      shrink();
    }
  }

  /** Releases the memory that the values of two counts needed. */
  private void shrink() {
    int room = Math.max(8, 2 * Integer.highestOneBit(size));
    texts = Arrays.copyOf(texts, Math.max(64, 2 * start(size)));
    ends = Arrays.copyOf(ends, room);
    counts = Arrays.copyOf(counts, room);
    missed = Arrays.copyOf(missed, room);
    long[] slots = table;
    table = new long[2 * room];
    putAll(slots);
  }

  /** Drops the rarer half, and all values that are as frequent as the last one of it. */
  private void drop() {
    long[] most = new long[size];
    Arrays.setAll(most, this::countMax);
    Arrays.sort(most);
    long edge = most[(size - 1) / 2];
    int all = size;
    int start = 0;
    size = 0;
    Arrays.fill(table, 0);
    for (int value = 0; value < all; value++) {
      int end = ends[value];
      if (countMax(value) > edge) {
        keep(value, start, end);
      }
      start = end;
    }
    droppedMax = Math.max(droppedMax, edge);
  }

  /** Moves a value with its text in {@code [start, end)} after those that are kept so far. */
  private void keep(int value, int start, int end) {
    int to = start(size);
    System.arraycopy(texts, start, texts, to, end - start);
    ends[size] = to + end - start;
    counts[size] = counts[value];
    missed[size] = missed[value];
    size++;
    put(slot(hash(texts, to, to + end - start), size));
  }

  private long countMax(int value) {
    return counts[value] + missed[value];
  }

  boolean isExact() {
    return droppedMax == 0;
  }

  long bytes() {
    return (long) ENTRY_BYTES * size + start(size);
  }

  int size() {
    return size;
  }

  /** Returns the {@code n} most frequent values; if counts are equal, by their bytes. */
  List<CountedValue> top(int n) {
    PriorityQueue<CountedValue> best = new PriorityQueue<>(OFTENEST_FIRST.reversed());
    for (int value = 0; value < size; value++) {
      CountedValue last = best.size() < n ? null : best.peek();
      if (n > 0 && (last == null || counts[value] >= last.count)) {
        best.add(new CountedValue(value));
        if (best.size() > n) {
          best.remove();
        }
      }
    }
    return best.stream().sorted(OFTENEST_FIRST).toList();
  }

  /** Returns an upper bound on the count of any value besides {@code some} of {@link #top}. */
  long countMaxBeside(List<CountedValue> some) {
    BitSet best = new BitSet();
    some.forEach(value -> best.set(value.number));
    long most = droppedMax;
    for (int value = best.nextClearBit(0); value < size; value = best.nextClearBit(value + 1)) {
      most = Math.max(most, countMax(value));
    }
    return most;
  }

  /**
   * Whether {@code best}, the result of {@link #top}, certainly contains the values with the
   * highest counts, in their order, with exact counts.
   *
   * @param n the number that was asked for
   * @param uncounted upper bound on the count of a value that was never added
   */
  boolean isSure(List<CountedValue> best, int n, long uncounted) {
    long unknown = Math.max(droppedMax, uncounted);
    for (int value = 0; value < size; value++) {
      if (missed[value] > 0) {
        unknown = Math.max(unknown, countMax(value));
      }
    }
    return unknown == 0 || best.size() == n && unknown < best.get(n - 1).count;
  }

  /** A value; valid until the next one is added. */
  final class CountedValue {
    private final int number;

    /** The number of occurrences since the value was last added. */
    final long count;

    /** An upper bound on earlier occurrences, which were dropped. */
    final long missed;

    private CountedValue(int number) {
      this.number = number;
      count = counts[number];
      missed = ValueCounts.this.missed[number];
    }

    byte[] bytes() {
      return Arrays.copyOfRange(texts, start(number), ends[number]);
    }

    long countMax() {
      return count + missed;
    }

    /** Compares the texts by their unsigned bytes. */
    private int compareBytes(CountedValue other) {
      return Arrays.compareUnsigned(
          texts, start(number), ends[number], texts, start(other.number), ends[other.number]);
    }
  }
}
