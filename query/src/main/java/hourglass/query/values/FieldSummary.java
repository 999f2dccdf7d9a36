package hourglass.query.values;

import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;

/**
 * A summary of a field: its kinds, its least and greatest numbers, and its values. Not thread-safe.
 */
public final class FieldSummary {
  /** The approximate memory of a summary, in bytes. */
  public static final long BYTES = 12 << 10;

  /** The most bytes of counted values: about fifty values of 40 bytes. */
  private static final int COUNTS_BYTES = 8 << 10;

  /**
   * The most bytes of a value that is shown. Longer values are prose; they only count as distinct.
   */
  private static final int VALUE_BYTES_MAX = 256;

  /** The kinds of JSON values, in the order of an answer. */
  public enum Kind {
    NUMBER,
    STRING,
    BOOLEAN,
    NULL,
    OBJECT,
    LIST
  }

  private final EnumMap<Kind, Long> events = new EnumMap<>(Kind.class);
  private final DistinctSketch distinct = new DistinctSketch();
  private final ValueCounts counts = new ValueCounts(COUNTS_BYTES);
  private long tooLong;
  private double min = Double.POSITIVE_INFINITY;
  private double max = Double.NEGATIVE_INFINITY;

  /** Adds an event with an object or a list. */
  public void addNested(Kind kind) {
    events.merge(kind, 1L, Long::sum);
  }

  /**
   * Adds an event with a number; its {@code text} in {@code [from, to)} is that of {@link
   * #addScalar}.
   */
  public void addNumber(double number, byte[] text, int from, int to) {
    addScalar(Kind.NUMBER, text, from, to);
    if (Double.isFinite(number)) {
      min = Math.min(min, number);
      max = Math.max(max, number);
    }
  }

  /**
   * Adds an event with a scalar as JSON in {@code [from, to)}. Equal values must have equal bytes.
   */
  public void addScalar(Kind kind, byte[] text, int from, int to) {
    events.merge(kind, 1L, Long::sum);
    distinct.add(text, from, to);
    if (to - from <= VALUE_BYTES_MAX) {
      counts.add(text, from, to, 1);
    } else {
      tooLong++;
    }
  }

  public void addAll(FieldSummary others) {
    others.events.forEach((kind, more) -> events.merge(kind, more, Long::sum));
    min = Math.min(min, others.min);
    max = Math.max(max, others.max);
    distinct.addAll(others.distinct);
    counts.addAll(others.counts);
    tooLong += others.tooLong;
  }

  /** The number of events with the field. */
  public long events() {
    return events.values().stream().mapToLong(Long::longValue).sum();
  }

  public long events(Kind kind) {
    return events.getOrDefault(kind, 0L);
  }

  /**
   * The number of different values, at most that of events with one; objects and lists do not
   * count.
   */
  public long distinct() {
    return Math.min(distinct.count(), events() - events(Kind.OBJECT) - events(Kind.LIST));
  }

  public boolean isDistinctExact() {
    return distinct.isExact();
  }

  /** Whether any number is finite. */
  public boolean hasNumbers() {
    return min <= max;
  }

  public double min() {
    return min;
  }

  public double max() {
    return max;
  }

  /**
   * Frequent values, the most frequent first; if counts are equal, by their bytes. If there are
   * many values, one that was seen only once is not frequent.
   *
   * @param isExact whether these certainly are the most frequent values, with exact counts;
   *     otherwise counts may be too low
   */
  public record Frequent(List<TopValues.Value> values, boolean isExact) {}

  /** Returns at most {@code n} frequent values. */
  public Frequent frequent(int n) {
    int least = distinct.isExact() ? 1 : 2;
    List<ValueCounts.CountedValue> best = counts.top(n);
    List<TopValues.Value> values =
        best.stream()
            .filter(value -> value.count >= least)
            .map(
                value ->
                    new TopValues.Value(
                        new String(value.bytes(), StandardCharsets.UTF_8),
                        value.count,
                        value.missed))
            .toList();
    return new Frequent(values, values.size() == best.size() && counts.isSure(best, n, tooLong));
  }
}
