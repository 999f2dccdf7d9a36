package hourglass.bucketing.planner;

import hourglass.bucketing.Hour;
import org.jspecify.annotations.Nullable;

/** How much of an hour and type comes to one writer, and how fast. Not thread-safe. */
final class Pace {
  /** A writer that had less than this share of a row gets none of its own. */
  private static final double BUSY_SHARE = 1.0 / 8;

  /** Nor one that will not come to this share of a row within its horizon. */
  private static final double BUSY_AHEAD_SHARE = 0.5;

  /** Of an hour that is over, nobody knows how long its events will come; at least so long. */
  private static final long HORIZON_MILLIS_MIN = 60_000;

  private static final long HORIZON_MILLIS_MAX = 3_600_000;

  /** Claims are made so far ahead of need. */
  private static final double LEAD_SECONDS = 5;

  /** A row gets so many stretches a second at least, so that none has far more than others. */
  private static final int STRETCHES_PER_SECOND = 8;

  /** Shorter stretches cost a store more than they even out. */
  private static final int STRETCH_COLUMNS_MIN = 32;

  private final Hour hour;
  private final Room target;
  private final Rate rate;
  private final boolean busyBefore;
  private Room taken = Room.NONE;

  /**
   * @param before of the same type an hour earlier, if it is remembered
   */
  Pace(Hour hour, Room target, @Nullable Pace before, long nowMillis) {
    this.hour = hour;
    this.target = target;
    this.rate = before == null ? new Rate(nowMillis) : new Rate(before.rate, nowMillis);
    this.busyBefore = before != null && before.isBusyToTheEnd(nowMillis);
  }

  void came(Load load, long nowMillis) {
    rate.add(load.columns(), load.bytes(0, load.columns()), nowMillis);
  }

  void took(Room room) {
    taken = taken.plus(room);
  }

  void gaveBack(Room room) {
    taken = taken.minus(room);
  }

  /**
   * Whether the writer should have rows of its own.
   *
   * @param missing columns that have no row
   * @param nextBytes the largest that waits
   */
  boolean isBusy(Room missing, long nextBytes, long nowMillis) {
    return (busyBefore || taken.share(target) >= BUSY_SHARE)
            && ahead(nowMillis).share(target) >= BUSY_AHEAD_SHARE
        || missing.share(target) >= BUSY_AHEAD_SHARE
        || nextBytes > target.bytes() * BUSY_SHARE;
  }

  /** Whether the type will want rows of its own from the first event of the next hour on. */
  boolean isBusyToTheEnd(long nowMillis) {
    return taken.share(target) >= 1 && rate.in(3600, nowMillis).share(target) >= 1;
  }

  /** How many rows will be filled until the hour is over, if it goes on like that. */
  int rowsAhead(long nowMillis) {
    return (int) Math.min(PlannerOptions.SPREAD_MAX, Math.ceil(ahead(nowMillis).share(target)));
  }

  private Room ahead(long nowMillis) {
    long millis = Math.min(hour.end().toEpochMilli() - nowMillis, HORIZON_MILLIS_MAX);
    return rate.in(Math.max(HORIZON_MILLIS_MIN, millis) / 1000.0, nowMillis);
  }

  /** What rounds must have left: some seconds' worth, and a quarter of a round. */
  Room lead(int rows, long nowMillis) {
    Room quarter = rows == 0 ? target : target.times(0.25 * rows);
    return quarter.max(rate.in(LEAD_SECONDS, nowMillis));
  }

  /**
   * How many columns of a batch go into one row.
   *
   * @param rows that are filled side by side
   */
  int stretch(int columns, int rows, long nowMillis) {
    if (rows <= 1) {
      return columns;
    }
    long perSecond = rate.in(1, nowMillis).columns() / ((long) rows * STRETCHES_PER_SECOND);
    int atLeast = (int) Math.max(STRETCH_COLUMNS_MIN, Math.min(columns, perSecond));
    return Math.max(atLeast, (columns + rows - 1) / rows);
  }
}
