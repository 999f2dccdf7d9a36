package hourglass.store.embedded.late;

import hourglass.bucketing.Ticks;
import java.time.Clock;
import java.time.Duration;

/**
 * Tells which columns come late, and up to which time all others are visible. Both follow the
 * clock, but never fall behind the time given to a reader, in this process or an earlier one. The
 * second stands still while a group is being forced. So what a group did not call late is never
 * behind what readers were told, however long its force takes and wherever the clock is set.
 * Thread-safe.
 */
public final class SettleClock {
  private static final long NOTHING = -1;

  private final Clock clock;
  private final long settleTicks;
  private final SettledWatermark mark;
  private final ClockSetBack lag = new ClockSetBack();

  /** The last settled tick of readers, or the greatest that they may have had before a restart. */
  private long toldTicks;

  /** When the group that is under way was judged. */
  private long heldTicks = NOTHING;

  /**
   * @param mark how far readers of earlier processes may have been told that all is settled
   */
  public SettleClock(Clock clock, Duration settle, SettledWatermark mark) {
    this.clock = clock;
    this.settleTicks = Ticks.PER_MILLI * settle.toMillis();
    this.mark = mark;
    this.toldTicks = mark.ticks();
    lag.at(now(), toldTicks + settleTicks);
  }

  /** A group begins: columns before the tick that this returns are late. */
  public synchronized long begin() {
    long now = now();
    // One that failed may still be on the disk, and visible after a crash, until it is cut off.
    heldTicks = heldTicks == NOTHING ? now : heldTicks;
    return now - settleTicks;
  }

  /** The group is visible. */
  public synchronized void end() {
    heldTicks = NOTHING;
  }

  /** The settled tick by the clock; no reader gets it. */
  public synchronized long settledTicks() {
    long now = now();
    return (heldTicks == NOTHING ? now : heldTicks) - settleTicks;
  }

  /** Has the mark where {@link #tellTicks} needs it; may wait for the disk. */
  void beforeTelling() {
    mark.cover(settledTicks());
  }

  /** As {@link hourglass.store.LateArrivals#settledTicks}, for a reader. */
  synchronized long tellTicks() {
    toldTicks = Math.max(toldTicks, Math.min(settledTicks(), mark.ticks()));
    return toldTicks;
  }

  /** How far the clock is behind the latest time it gave; zero within a few seconds. */
  public synchronized Duration clockBehind() {
    now();
    return lag.behind();
  }

  /** Ends: no reader gets a settled tick from now on. */
  public void close() {
    long told;
    synchronized (this) {
      told = toldTicks;
    }
    mark.end(told);
  }

  private long now() {
    long now = Ticks.of(clock.instant());
    lag.at(now, now);
    return Math.max(now, toldTicks + settleTicks);
  }
}
