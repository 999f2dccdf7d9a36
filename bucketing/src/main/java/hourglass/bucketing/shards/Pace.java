package hourglass.bucketing.shards;

import hourglass.bucketing.Hour;
import hourglass.bucketing.shards.ShardPlanner.CurrentTime;
import org.jspecify.annotations.Nullable;

/**
 * The volume and rate of a type hour at one writer, and the columns that wait for a row. Not
 * thread-safe.
 */
final class Pace {
  /** The number of rows an hour at which a type is spread, as soon as it keeps up that rate. */
  private static final double SEVERAL_ROWS = 4;

  /** The least share of a row that allows a judgement, since few columns show no pace. */
  private static final double KEPT_UP_SHARE = 1.0 / 400;

  /** The share of a row, without its burst, after which a slower or less steady type is spread. */
  private static final double BUSY_SHARE = 1.0 / 8;

  /** The value of {@link #BUSY_SHARE} for a type that other writers already spread. */
  private static final double BUSY_SHARE_AFTER_OTHERS = 1.0 / 100;

  /** The share of a row that a slower type must reach within its horizon, or it is not spread. */
  private static final double BUSY_AHEAD_SHARE = 0.5;

  /** The time after an hour in which its events still arrive: clocks differ, and senders batch. */
  private static final long HORIZON_MILLIS_MIN = 60_000;

  private static final long HORIZON_MILLIS_MAX = 3_600_000;

  /** The time by which claims are made ahead of need. */
  private static final double LEAD_SECONDS = 5;

  /** The least number of turns of a row per second, so that rows fill evenly. */
  private static final int TURNS_PER_SECOND = 16;

  /** The longest turn that evenness needs. Shorter turns cost the store more. */
  private static final int TURN_COLUMNS = 32;

  /** The least share of a row, in an hour, at which rows for all nodes are worthwhile. */
  private static final double COVERING_SHARE = 1.0 / 4;

  private final Hour hour;
  private final Capacity target;
  private final Rate rate;
  private final boolean busyBefore;
  private final SteadyPace steady;
  private Capacity taken = Capacity.NONE;
  private Capacity waiting = Capacity.NONE;

  /** The largest payload among the next ones of the batches that wait. */
  private long largestBytes;

  private boolean keptUp;
  private boolean othersHaveGroups;

  /** Continues the pace of the same type an hour earlier, if that is still in memory. */
  Pace(Hour hour, Capacity target, @Nullable Pace before, CurrentTime now) {
    this.hour = hour;
    this.target = target;
    this.rate =
        before == null ? new Rate(now.elapsedMillis()) : new Rate(before.rate, now.elapsedMillis());
    this.steady = new SteadyPace(now.elapsedMillis());
    this.busyBefore = before != null && before.isBusyToTheEnd(now);
  }

  void record(ColumnBatch batch, CurrentTime now) {
    Capacity capacity = all(batch);
    rate.add(capacity, now.elapsedMillis());
    steady.add(capacity.share(target), now.elapsedMillis());
    rate.atLeast(steady.perSecond(), target);
    keptUp |= steady.perSecond() * 3600 >= SEVERAL_ROWS && taken.share(target) >= KEPT_UP_SHARE;
  }

  void onOtherGroups() {
    othersHaveGroups = true;
  }

  void took(Capacity capacity) {
    taken = taken.plus(capacity);
  }

  void released(Capacity capacity) {
    taken = taken.minus(capacity);
  }

  void recordFailure(ColumnBatch batch, long recordedMillis, CurrentTime now) {
    Capacity capacity = all(batch);
    rate.takeBack(capacity, recordedMillis, now.elapsedMillis());
    steady.takeBack(capacity.share(target), recordedMillis);
    keptUp = false; // perhaps only failed writes kept it up; otherwise the next batch shows it
  }

  private static Capacity all(ColumnBatch batch) {
    return new Capacity(batch.columns(), batch.bytes(0, batch.columns()));
  }

  /** Adds the columns of a batch, from the first without a row. */
  void await(ColumnBatch batch, int from) {
    int end = batch.columns();
    waiting = waiting.plus(new Capacity(end - from, batch.bytes(from, end)));
    largestBytes = Math.max(largestBytes, batch.bytes(from, from + 1));
  }

  /** Forgets the columns that wait. Their batches try again, and wait again or fail. */
  void forgetWaiting() {
    waiting = Capacity.NONE;
    largestBytes = 0;
  }

  Capacity waiting() {
    return waiting;
  }

  boolean isAwaited() {
    return waiting.columns() > 0;
  }

  long largestBytes() {
    return largestBytes;
  }

  /** Returns whether the writer should use shard groups of its own. */
  boolean isBusy(CurrentTime now) {
    return isHot() && (isFast(now) || ahead(now).share(target) >= BUSY_AHEAD_SHARE)
        || waiting.share(target) >= BUSY_AHEAD_SHARE
        || largestBytes > target.bytes() * BUSY_SHARE;
  }

  private boolean isHot() {
    double least = othersHaveGroups ? BUSY_SHARE_AFTER_OTHERS : BUSY_SHARE;
    return busyBefore || keptUp || taken.share(target) >= least && steady.withoutBurst() >= least;
  }

  private boolean isFast(CurrentTime now) {
    return now.utcMillis() < hour.end().toEpochMilli() + HORIZON_MILLIS_MIN
        && rowsAnHour(now) >= SEVERAL_ROWS;
  }

  boolean isBusyToTheEnd(CurrentTime now) {
    return isHot() && rowsAnHour(now) >= (taken.share(target) >= 1 ? 1 : SEVERAL_ROWS);
  }

  private double rowsAnHour(CurrentTime now) {
    return rate.in(3600, now.elapsedMillis()).share(target);
  }

  /**
   * Returns the number of rows to fill side by side. It stays the same in the last minutes of an
   * hour, since fewer rows would leave nodes idle until its end.
   */
  int rows(int covering, CurrentTime now) {
    if (!isFast(now) || !isHot()) {
      Capacity worth = isHot() ? ahead(now) : waiting;
      return rows(covering, worth.share(target));
    }
    double worth = rowsAnHour(now);
    return worth >= COVERING_SHARE * covering ? covering : rows(covering, worth);
  }

  private static int rows(int covering, double worth) {
    return (int) Math.max(1, Math.min(covering, Math.ceil(worth)));
  }

  /** Returns whether the rows of a type that became busier leave too many nodes idle. */
  boolean isWorthMore(int rows, int covering, CurrentTime now) {
    double worth = isFast(now) ? rowsAnHour(now) : ahead(now).share(target);
    return rows < covering && worth >= 2 * Math.min(rows, COVERING_SHARE * covering);
  }

  private Capacity ahead(CurrentTime now) {
    long millis = Math.min(hour.end().toEpochMilli() - now.utcMillis(), HORIZON_MILLIS_MAX);
    return rate.in(Math.max(HORIZON_MILLIS_MIN, millis) / 1000.0, now.elapsedMillis());
  }

  Capacity lead(int rows, CurrentTime now) {
    Capacity quarter = rows == 0 ? target : target.times(0.25 * rows);
    return quarter.max(rate.in(LEAD_SECONDS, now.elapsedMillis()));
  }

  int turn(int rows, CurrentTime now) {
    long perTurn = rate.in(1, now.elapsedMillis()).columns() / ((long) rows * TURNS_PER_SECOND);
    return (int) Math.max(1, Math.min(TURN_COLUMNS, perTurn));
  }
}
