package hourglass.store;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TimeUuid;

/** The names in {@code [from, to)}; empty if {@code to} is at or before {@code from}. */
public record ColumnRange(TimeUuid from, TimeUuid to) {
  public static final ColumnRange EMPTY = ofTicks(0, 0);

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

  public ColumnRange intersect(ColumnRange other) {
    return new ColumnRange(
        from.compareTo(other.from) >= 0 ? from : other.from,
        to.compareTo(other.to) <= 0 ? to : other.to);
  }

  public boolean contains(TimeUuid name) {
    return from.compareTo(name) <= 0 && name.compareTo(to) < 0;
  }

  /** Whether all names of another range are in this one. */
  public boolean covers(ColumnRange other) {
    return other.isEmpty() || from.compareTo(other.from) <= 0 && other.to.compareTo(to) <= 0;
  }
}
