package hourglass.store.embedded.late;

import hourglass.bucketing.Ticks;
import java.time.Clock;
import java.time.Duration;

/**
 * Determines which columns are late, and the tick up to which all others are visible. Both follow
 * the clock, but never fall behind a time given to a reader, in this process or an earlier one. The
 * settled tick stands still during a force. So no reader gets a settled tick beyond a column that
 * is neither late nor visible, however long the force takes and wherever the clock is set.
 * Thread-safe.
 */
public final class SettleClock {
  private static final long NOTHING = -1;

  private final Clock clock;
  private final long settleTicks;
  private final SettledWatermark mark;
  private final ClockSetBack lag = new ClockSetBack();

  /** The last settled tick given to readers; after a start, the greatest that they may have. */
  private long toldTicks;

  /** The time when the current group began. */
  private long heldTicks = NOTHING;

  /**
   * Starts from the watermark.
   *
   * @param mark the greatest settled tick that readers of earlier processes may have
   */
  public SettleClock(Clock clock, Duration settle, SettledWatermark mark) {
    this.clock = clock;
    this.settleTicks = Ticks.PER_MILLI * settle.toMillis();
    this.mark = mark;
    this.toldTicks = mark.ticks();
    lag.at(now(), toldTicks + settleTicks);
  }

  /** Begins a group. Columns before the returned tick are late. */
  public synchronized long begin() {
    long now = now();
    // A failed group may be on disk, and visible after a crash, until it is cut off.
    heldTicks = heldTicks == NOTHING ? now : heldTicks;
    return now - settleTicks;
  }

  /** Ends the group, which is visible now. */
  public synchronized void end() {
    heldTicks = NOTHING;
  }

  /** The settled tick by the clock, not limited by the watermark; not for readers. */
  public synchronized long settledTicks() {
    long now = now();
    return (heldTicks == NOTHING ? now : heldTicks) - settleTicks;
  }

  /** Moves the watermark ahead for {@link #tellTicks}; may wait for the disk. */
  void beforeTelling() {
    mark.cover(settledTicks());
  }

  /** The settled tick for a reader, as in {@link hourglass.store.LateArrivals#settledTicks}. */
  synchronized long tellTicks() {
    toldTicks = Math.max(toldTicks, Math.min(settledTicks(), mark.ticks()));
    return toldTicks;
  }

  /** The distance of the clock behind its latest time; zero within a few seconds. */
  public synchronized Duration clockBehind() {
    now();
    return lag.behind();
  }

  /** Closes the watermark. No reader may get a settled tick afterwards. */
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
