package hourglass.store.embedded.late;

import hourglass.bucketing.Ticks;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures how far the clock is behind its latest time, and logs when that begins and ends. Guarded
 * by its owner.
 */
final class ClockSetBack {
  private static final Logger logger = LoggerFactory.getLogger(ClockSetBack.class);

  /** Normal clock corrections are smaller. */
  private static final long NOTED_TICKS = 5 * Ticks.PER_SECOND;

  private long latestTicks;
  private long behindTicks;
  private boolean isBehind;

  /**
   * Compares the clock with its latest time.
   *
   * @param latestTicks a time that the clock has given
   */
  void at(long nowTicks, long latestTicks) {
    this.latestTicks = Math.max(this.latestTicks, latestTicks);
    behindTicks = this.latestTicks - nowTicks;
    if (isBehind ? behindTicks <= 0 : behindTicks >= NOTED_TICKS) {
      isBehind = !isBehind;
      say();
    }
  }

  private void say() {
    if (isBehind) {
      logger.warn(
          "the clock is {} s behind {}, the latest time it gave: it was set back; until it is there"
              + " again, tails get events at once, as late",
          behind().toSeconds(),
          Ticks.text(latestTicks));
    } else {
      logger.info(
          "the clock is where it was before it was set back: tails get events in order again");
    }
  }

  /** The distance; zero if the clock was not set back by several seconds. */
  Duration behind() {
    return isBehind
        ? Duration.ofSeconds(Math.max(1, behindTicks / Ticks.PER_SECOND))
        : Duration.ZERO;
  }
}
