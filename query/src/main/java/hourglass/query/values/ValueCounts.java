package hourglass.query.values;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts of values, exact as long as all fit, with a known error beyond that. Not thread-safe.
 *
 * <p>Lossy counting (Manku and Motwani, Approximate Frequency Counts over Data Streams, 2002), but
 * pruned when memory is full. Pruning drops the rarer half; its highest possible count, {@code
 * droppedMax}, bounds the earlier occurrences of a value that is absent or returns.
 *
 * <pre>
 * count &lt;= occurrences of a value &lt;= count + missed
 * occurrences of an absent value &lt;= droppedMax
 * </pre>
 */
final class ValueCounts {
  /** Objects and references around the bytes of a value. */
  private static final int ENTRY_BYTES = 120;

  private static final Comparator<CountedValue> OFTENEST_FIRST =
      Comparator.<CountedValue>comparingLong(value -> -value.count)
          .thenComparing(Comparator.naturalOrder());

  private final int bytesMax;
  private final Map<CountedValue, CountedValue> values = new HashMap<>();
  private final CountedValue wanted = new CountedValue();
  private long bytes;
  private long droppedMax;

  ValueCounts(int bytesMax) {
    this.bytesMax = bytesMax;
  }

  void add(byte[] text, int from, int to, long events) {
    CountedValue known = values.get(wanted.over(text, from, to));
    if (known == null) {
      known = wanted.copy();
      known.missed = droppedMax;
      values.put(known, known);
      bytes += ENTRY_BYTES + known.length();
    }
    known.count += events;
    while (bytes > bytesMax) {
      drop();
    }
  }

  /** The counts stay lower bounds; their error is no longer known. */
  void addAll(ValueCounts others) {
    others.values.values().forEach(value -> add(value.bytes, value.from, value.to, value.count));
    droppedMax = Math.max(droppedMax, others.droppedMax);
  }

  /** Drops the rarer half, and all values as frequent as the last of it. */
  private void drop() {
    long[] most = values.values().stream().mapToLong(CountedValue::countMax).sorted().toArray();
    long edge = most[(most.length - 1) / 2];
    values
        .values()
        .removeIf(
            value -> {
              boolean isRare = value.countMax() <= edge;
              bytes -= isRare ? ENTRY_BYTES + value.length() : 0;
              return isRare;
            });
    droppedMax = Math.max(droppedMax, edge);
  }

  boolean isExact() {
    return droppedMax == 0;
  }

  long bytes() {
    return bytes;
  }

  int size() {
    return values.size();
  }

  /** Equal counts by their bytes. */
  List<CountedValue> top(int n) {
    return values.values().stream().sorted(OFTENEST_FIRST).limit(n).toList();
  }

  long countMaxBeside(List<CountedValue> some) {
    Set<CountedValue> best = new HashSet<>(some);
    return values.values().stream()
        .filter(value -> !best.contains(value))
        .mapToLong(CountedValue::countMax)
        .reduce(droppedMax, Math::max);
  }

  /**
   * Equality and order depend on the bytes alone, which may be borrowed for a lookup. Not
   * thread-safe.
   */
  static final class CountedValue implements Comparable<CountedValue> {
    private byte[] bytes = new byte[0];
    private int from;
    private int to;
    private int hash;

    /** Since the value was last added. */
    long count;

    /** Upper bound on earlier occurrences, which were dropped. */
    long missed;

    /** Borrows the bytes in {@code [from, to)} until the next call. */
    CountedValue over(byte[] ofBytes, int begin, int end) {
      bytes = ofBytes;
      from = begin;
      to = end;
      hash = 1;
      for (int i = begin; i < end; i++) {
        hash = 31 * hash + ofBytes[i];
      }
      return this;
    }

    CountedValue copy() {
      CountedValue copy = new CountedValue();
      copy.bytes = Arrays.copyOfRange(bytes, from, to);
      copy.to = to - from;
      copy.hash = hash;
      return copy;
    }

    byte[] bytes() {
      return bytes;
    }

    int length() {
      return to - from;
    }

    long countMax() {
      return count + missed;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof CountedValue that
          && hash == that.hash
          && Arrays.equals(bytes, from, to, that.bytes, that.from, that.to);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    /** Unsigned. An order keeps a hash map fast under many equal hashes. */
    @Override
    public int compareTo(CountedValue other) {
      return Arrays.compareUnsigned(bytes, from, to, other.bytes, other.from, other.to);
    }
  }
}
