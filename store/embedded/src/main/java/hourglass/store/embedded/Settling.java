package hourglass.store.embedded;

import hourglass.bucketing.Ticks;
import java.time.Clock;
import java.time.Duration;

/**
 * Tells which columns come late, and up to which time all others are visible. Both follow one clock
 * that never steps back while this process runs, and the second one stands still while a group is
 * on its way to the disk: so what a group did not call late is never behind what readers were told,
 * however long its force takes. Thread-safe.
 */
final class Settling {
  private static final long NOTHING = -1;

  private final Clock clock;
  private final long settleTicks;
  private long latestTicks;

  /** When the group that is under way was judged. */
  private long heldTicks = NOTHING;

  Settling(Clock clock, Duration settle) {
    this.clock = clock;
    this.settleTicks = Ticks.PER_MILLI * settle.toMillis();
  }

  /** A group begins: columns before the tick that this returns are late. */
  synchronized long begin() {
    long now = now();
    // One that failed may still be on the disk, and visible after a crash, until it is cut off.
    heldTicks = heldTicks == NOTHING ? now : heldTicks;
    return now - settleTicks;
  }

  /** The group is visible. */
  synchronized void end() {
    heldTicks = NOTHING;
  }

  /** As {@link hourglass.store.Arrivals#settledTicks}. */
  synchronized long settledTicks() {
    long now = now();
    return (heldTicks == NOTHING ? now : heldTicks) - settleTicks;
  }

  private long now() {
    latestTicks = Math.max(latestTicks, Ticks.of(clock.instant()));
    return latestTicks;
  }
}
