package hourglass.query;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;

/** The times in {@code [fromTicks, toTicks)}, within 2000-2099. */
public record TimeRange(long fromTicks, long toTicks) {
  public static final TimeRange ALL = new TimeRange(Hour.FIRST.startTicks(), Hour.LAST.endTicks());

  public TimeRange {
    if (fromTicks > toTicks) {
      throw new IllegalArgumentException(
          "from: " + Ticks.text(fromTicks) + " is after to: " + Ticks.text(toTicks));
    }
  }

  public static TimeRange of(Hour hour) {
    return new TimeRange(hour.startTicks(), hour.endTicks());
  }

  public boolean isEmpty() {
    return fromTicks == toTicks;
  }

  public boolean contains(long ticks) {
    return fromTicks <= ticks && ticks < toTicks;
  }

  /** Returns the hour of the start. The range must not be empty. */
  public Hour firstHour() {
    return Hour.ofTicks(fromTicks);
  }

  /** Returns the hour of the last tick. The range must not be empty. */
  public Hour lastHour() {
    return Hour.ofTicks(toTicks - 1);
  }

  /** Returns the column names of an hour that are in the range; the two must overlap. */
  public ColumnRange within(Hour hour) {
    return new ColumnRange(
        TimeUuid.first(Math.max(fromTicks, hour.startTicks())),
        TimeUuid.first(Math.min(toTicks, hour.endTicks())));
  }

  /** Returns the times that are in both ranges; an empty range if there are none. */
  public TimeRange and(TimeRange other) {
    long from = Math.max(fromTicks, other.fromTicks);
    return new TimeRange(from, Math.max(from, Math.min(toTicks, other.toTicks)));
  }
}
