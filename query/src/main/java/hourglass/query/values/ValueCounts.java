package hourglass.query.values;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How often each of many values comes: exactly as long as all of them fit, and with a known error
 * beyond that. Not thread-safe.
 *
 * <p>Lossy counting (Manku and Motwani, Approximate Frequency Counts over Data Streams, 2002), but
 * cut back when there is no room, instead of in fixed turns. The rarer half is dropped, and the
 * most that one of it can have come is kept as {@code droppedMax}: a value that is not there, or
 * comes back, came at most so often before.
 *
 * <pre>
 * count &lt;= how often a value came &lt;= count + missed
 * how often one came that is not there &lt;= droppedMax
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

  /**
   * Empty counts.
   *
   * @param bytesMax how much memory they may take, roughly
   */
  ValueCounts(int bytesMax) {
    this.bytesMax = bytesMax;
  }

  /** Counts the value in {@code [from, to)}. */
  void add(byte[] text, int from, int to) {
    CountedValue known = values.get(wanted.over(text, from, to));
    if (known == null) {
      known = wanted.copy();
      known.missed = droppedMax;
      values.put(known, known);
      bytes += ENTRY_BYTES + known.length();
    }
    known.count++;
    while (bytes > bytesMax) {
      drop();
    }
  }

  /** Drops the rarer half, and what comes as often as the last of it. */
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

  /** Whether every count is what it seems. */
  boolean isExact() {
    return droppedMax == 0;
  }

  /** The memory that they take, roughly. */
  long bytes() {
    return bytes;
  }

  /** Different values that are counted now. */
  int size() {
    return values.size();
  }

  /** Up to so many that were seen most often; of equal counts those of smaller bytes. */
  List<CountedValue> top(int n) {
    return values.values().stream().sorted(OFTENEST_FIRST).limit(n).toList();
  }

  /** How often a value came at the most that is not among some. */
  long countMaxBeside(List<CountedValue> some) {
    Set<CountedValue> best = new HashSet<>(some);
    return values.values().stream()
        .filter(value -> !best.contains(value))
        .mapToLong(CountedValue::countMax)
        .reduce(droppedMax, Math::max);
  }
}
