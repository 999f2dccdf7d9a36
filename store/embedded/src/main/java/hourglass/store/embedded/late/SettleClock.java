package hourglass.store.embedded.late;

import hourglass.bucketing.Ticks;
import java.time.Clock;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines which columns are late, and the tick up to which all others are visible. Both follow
 * the clock, but never fall behind a time given to a reader, in this process or an earlier one. The
 * settled tick stands still during a force. So no reader gets a settled tick beyond a column that
 * is neither late nor visible, however long the force takes and wherever the clock is set.
 * Thread-safe.
 */
public final class SettleClock {
  private static final Logger logger = LoggerFactory.getLogger(SettleClock.class);

  private static final long NOTHING = -1;

  /** A clock further behind its latest time was set back; normal corrections are smaller. */
  private static final long SET_BACK_TICKS = 5 * Ticks.PER_SECOND;

  private final Clock clock;
  private final long settleTicks;
  private final SettledWatermark watermark;

  /** The last settled tick given to readers; after a start, the greatest that they may have. */
  private long publishedTicks;

  /** The time when the current group began. */
  private long heldTicks = NOTHING;

  private long latestTicks;
  private long behindTicks;
  private boolean isBehind;

  /** Starts from the greatest settled tick that readers of earlier processes may have. */
  public SettleClock(Clock clock, Duration settle, SettledWatermark watermark) {
    this.clock = clock;
    this.settleTicks = Ticks.PER_MILLI * settle.toMillis();
    this.watermark = watermark;
    this.publishedTicks = watermark.ticks();
    this.latestTicks = publishedTicks + settleTicks;
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

  /** Moves the watermark ahead for {@link #publish}; may wait for the disk. */
  void beforePublish() {
    watermark.advance(settledTicks());
  }

  /** The settled tick for a reader, as in {@link hourglass.store.LateArrivals#settledTicks}. */
  synchronized long publish() {
    publishedTicks = Math.max(publishedTicks, Math.min(settledTicks(), watermark.ticks()));
    return publishedTicks;
  }

  /** The distance of the clock behind its latest time; zero within a few seconds. */
  public synchronized Duration clockBehind() {
    var unused = now();
    return behind();
  }

  private Duration behind() {
    return isBehind
        ? Duration.ofSeconds(Math.max(1, behindTicks / Ticks.PER_SECOND))
        : Duration.ZERO;
  }

  /** Closes the watermark. No reader may get a settled tick afterwards. */
  public void close() {
    long published;
    synchronized (this) {
      published = publishedTicks;
    }
    watermark.end(published);
  }

  /** Reads the clock, and logs if it is behind its latest time, or no longer. */
  private long now() {
    long now = Ticks.of(clock.instant());
    latestTicks = Math.max(latestTicks, now);
    behindTicks = latestTicks - now;
    if (isBehind ? behindTicks <= 0 : behindTicks >= SET_BACK_TICKS) {
      isBehind = !isBehind;
      logChange();
    }
    return Math.max(now, publishedTicks + settleTicks);
  }

  private void logChange() {
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
}
