package hourglass.query.values;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Counts the values of a field, added in any order. Thread-safe. */
public final class ValueTally {
  // All fields below are guarded by this:
  private final ValueCounts counts;
  private long counted;
  private long absent;
  private long nested;
  private long tooLong;

  /**
   * Creates an empty tally.
   *
   * @param bytesMax approximate memory of the counts, beyond which they become inexact
   */
  public ValueTally(int bytesMax) {
    counts = new ValueCounts(bytesMax);
  }

  /**
   * Adds events by their values, and returns the approximate growth in bytes, which is negative if
   * the counts shrank.
   *
   * @param ends the end of each value in {@code bytes}, where the next one begins; the first {@code
   *     size} are added
   * @param events number of events with each value
   */
  public long add(byte[] bytes, int[] ends, int[] events, int size) {
    int[] hashes = new int[size]; // other threads count meanwhile
    for (int i = 0; i < size; i++) {
      hashes[i] = ValueCounts.hash(bytes, i == 0 ? 0 : ends[i - 1], ends[i]);
    }
    synchronized (this) {
      long before = counts.bytes();
      counts.add(bytes, ends, hashes, events, size);
      for (int i = 0; i < size; i++) {
        counted += events[i];
      }
      return counts.bytes() - before;
    }
  }

  public synchronized void addOthers(long moreAbsent, long moreNested, long moreTooLong) {
    absent += moreAbsent;
    nested += moreNested;
    tooLong += moreTooLong;
  }

  /** The approximate memory of the counts, in bytes. */
  public synchronized long bytes() {
    return counts.bytes();
  }

  /**
   * Some of the most frequent values, in order.
   *
   * @param isExact whether no other value is more frequent than one of these
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Frequent(List<byte[]> values, boolean isExact) {}

  public synchronized Frequent frequent(int n) {
    List<ValueCounts.CountedValue> best = counts.top(n);
    boolean isExact =
        counts.isExact()
            || (!best.isEmpty() && best.get(best.size() - 1).count >= counts.countMaxBeside(best));
    return new Frequent(best.stream().map(ValueCounts.CountedValue::bytes).toList(), isExact);
  }

  public synchronized TopValues top(int n) {
    List<ValueCounts.CountedValue> best = counts.top(n);
    return new TopValues(
        best.stream().map(ValueTally::value).toList(),
        counted + absent + nested + tooLong,
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
