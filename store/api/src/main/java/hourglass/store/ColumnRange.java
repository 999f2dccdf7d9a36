package hourglass.store;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TimeUuid;

/**
 * Names in {@code [from, to)}.
 *
 * @param from the first name inside
 * @param to the first name behind it; at or before {@code from}, the range is empty
 */
public record ColumnRange(TimeUuid from, TimeUuid to) {

  /** All columns with ticks in {@code [fromTicks, toTicks)}. */
  public static ColumnRange ofTicks(long fromTicks, long toTicks) {
    return new ColumnRange(TimeUuid.first(fromTicks), TimeUuid.first(toTicks));
  }

  public static ColumnRange of(Hour hour) {
    return ofTicks(hour.startTicks(), hour.endTicks());
  }

  public boolean isEmpty() {
    return from.compareTo(to) >= 0;
  }

  /** The part that both ranges share, perhaps empty. */
  public ColumnRange intersect(ColumnRange other) {
    return new ColumnRange(
        from.compareTo(other.from) >= 0 ? from : other.from,
        to.compareTo(other.to) <= 0 ? to : other.to);
  }

  public boolean contains(TimeUuid name) {
    return from.compareTo(name) <= 0 && name.compareTo(to) < 0;
  }
}
