package hourglass.query.values;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Counts the values of a field, added in any order. Thread-safe. */
public final class ValueTally {
  // All guarded by this:
  private final ValueCounts counts;
  private long events;
  private long absent;
  private long nested;
  private long tooLong;

  /**
   * Creates an empty tally.
   *
   * @param bytesMax approximate limit on the memory of the counts, which are inexact beyond it
   */
  public ValueTally(int bytesMax) {
    counts = new ValueCounts(bytesMax);
  }

  /**
   * Adds events with one value each. The values lie one after another in {@code bytes}.
   *
   * @param ends the end of each value, where the next one begins; the first {@code size} are added
   * @return the approximate growth in bytes; negative if the counts shrank
   */
  public synchronized long add(byte[] bytes, int[] ends, int size) {
    long before = counts.bytes();
    int from = 0;
    for (int i = 0; i < size; i++) {
      counts.add(bytes, from, ends[i]);
      from = ends[i];
    }
    events += size;
    return counts.bytes() - before;
  }

  /** Adds events without a countable value, by reason. */
  public synchronized void addOthers(long moreAbsent, long moreNested, long moreTooLong) {
    absent += moreAbsent;
    nested += moreNested;
    tooLong += moreTooLong;
    events += moreAbsent + moreNested + moreTooLong;
  }

  /** The {@code n} most frequent values. */
  public synchronized TopValues top(int n) {
    List<ValueCounts.CountedValue> best = counts.top(n);
    return new TopValues(
        best.stream().map(ValueTally::value).toList(),
        events,
        absent,
        nested,
        tooLong,
        counts.isExact(),
        counts.size(),
        counts.countMaxBeside(best));
  }

  private static TopValues.Value value(ValueCounts.CountedValue value) {
    return new TopValues.Value(
        new String(value.bytes(), StandardCharsets.UTF_8), value.count, value.missed);
  }
}
