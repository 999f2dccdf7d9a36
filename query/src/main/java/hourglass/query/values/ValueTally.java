package hourglass.query.values;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Counts values as they come, in any order and from any thread. */
public final class ValueTally {
  // All guarded by this:
  private final ValueCounts counts;
  private long events;
  private long absent;
  private long nested;
  private long tooLong;

  /**
   * Nothing yet.
   *
   * @param bytesMax how much memory the counts may take, roughly; beyond it they are not exact any
   *     more
   */
  public ValueTally(int bytesMax) {
    counts = new ValueCounts(bytesMax);
  }

  /**
   * Adds events with a value each, one behind the other.
   *
   * @param ends where each value ends, and the next one begins; the first {@code size} are added
   * @return by how many bytes this grew, roughly; below 0 where it shrank
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

  /** Adds events whose value is not counted, by the reason. */
  public synchronized void addOthers(long moreAbsent, long moreNested, long moreTooLong) {
    absent += moreAbsent;
    nested += moreNested;
    tooLong += moreTooLong;
    events += moreAbsent + moreNested + moreTooLong;
  }

  /** The values that come most often, up to so many. */
  public synchronized TopValues top(int n) {
    List<CountedValue> best = counts.top(n);
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

  private static TopValues.Value value(CountedValue value) {
    return new TopValues.Value(
        new String(value.bytes(), StandardCharsets.UTF_8), value.count, value.missed);
  }
}
