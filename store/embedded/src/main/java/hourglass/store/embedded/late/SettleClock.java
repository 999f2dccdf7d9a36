package hourglass.store.embedded.late;

import hourglass.bucketing.Ticks;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.Watermark;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Determines which columns are late, and the tick up to which all others are visible. Both follow
 * the clock, but never fall behind a time that any reader received. The settled tick stands still
 * during a force. So a reader's settled tick never passes a column that is neither late nor
 * visible, however the clock is set.
 *
 * <p>A file contains the greatest settled tick that readers may have received. After a restart,
 * columns before it are late even if the clock was set back. The file is ahead of the readers, so
 * that many reads share one write. Thread-safe.
 */
public final class SettleClock {
  private static final Logger logger = LoggerFactory.getLogger(SettleClock.class);

  private static final long NOTHING = -1;

  /** The distance from which a clock counts as set back; normal corrections are smaller. */
  private static final long SET_BACK_TICKS = 5 * Ticks.PER_SECOND;

  private static final long FILE_VERSION = 1;

  /**
   * The lead of the file. With it, two tail reads in a second share a write of the file, and a kill
   * makes few columns late.
   */
  private static final long LEAD_TICKS = Ticks.PER_SECOND;

  private final Clock clock;
  private final long settleTicks;
  private final Disk disk;
  private final Path file;

  private final ReentrantLock writing = new ReentrantLock();

  /** The greatest settled tick that readers may receive, as in the file; 0 if there is none. */
  private volatile long watermarkTicks;

  private volatile boolean writeFailed;

  /**
   * The last tick that readers received; after a start, the greatest that they may have received.
   */
  private long publishedTicks;

  private long heldTicks = NOTHING;

  private long latestTicks;
  private long behindTicks;
  private boolean isBehind;

  public SettleClock(Clock clock, Duration settle, Disk disk, Path file) throws IOException {
    this.clock = clock;
    this.settleTicks = Ticks.PER_MILLI * settle.toMillis();
    this.disk = disk;
    this.file = file;
    boolean hasFolder = FileKind.FOLDER.isAt(file.resolveSibling(""));
    Watermark found = hasFolder ? Watermark.read(file) : null;
    this.watermarkTicks = found == null ? 0 : found.last();
    this.publishedTicks = watermarkTicks;
    // So a clock that is set back during a long replay is noticed too.
    this.latestTicks = Math.max(Ticks.of(clock.instant()), publishedTicks + settleTicks);
  }

  /** Begins a group; its columns before the returned tick are late. */
  public synchronized long begin() {
    long now = now();
    // A failed group may be on disk, and visible after a crash, until it is cut off.
    heldTicks = heldTicks == NOTHING ? now : heldTicks;
    return now - settleTicks;
  }

  /** Ends a group, which is visible now, or was cut off. */
  public synchronized void end() {
    heldTicks = NOTHING;
  }

  /** The settled tick without the limit of the watermark; it must not be given to readers. */
  public synchronized long settledTicks() {
    long now = now();
    return (heldTicks == NOTHING ? now : heldTicks) - settleTicks;
  }

  /** Moves the watermark if the next reader needs it. May wait for the disk. */
  void beforePublish() {
    long settledTicks = settledTicks();
    if (settledTicks <= watermarkTicks - LEAD_TICKS / 2) {
      return;
    }
    if (settledTicks > watermarkTicks) {
      writing.lock(); // otherwise the reader would get an older tick
    } else if (!writing.tryLock()) {
      return;
    }
    try {
      if (settledTicks > watermarkTicks - LEAD_TICKS / 2) {
        moveWatermark(settledTicks + LEAD_TICKS);
      }
    } finally {
      writing.unlock();
    }
  }

  /**
   * Moves the watermark even if the file cannot be written. Then tails may miss events, but only if
   * the clock is set back before the next start.
   */
  private void moveWatermark(long toTicks) {
    try {
      new Watermark(FILE_VERSION, toTicks).write(disk, file);
      writeFailed = false;
    } catch (IOException e) {
      if (!writeFailed) {
        logger.warn(
            "{}: cannot be written: {}; should the clock be set back before the next start, tails"
                + " may miss events",
            file,
            e.toString());
      }
      writeFailed = true;
    }
    watermarkTicks = toTicks;
  }

  /** The settled tick for a reader, as in {@link hourglass.store.LateArrivals#settledTicks}. */
  synchronized long publish() {
    publishedTicks = Math.max(publishedTicks, Math.min(settledTicks(), watermarkTicks));
    return publishedTicks;
  }

  /** Returns how far the clock is behind its latest time; zero within a few seconds. */
  public synchronized Duration clockBehind() {
    var unused = now();
    return behind();
  }

  private Duration behind() {
    return isBehind
        ? Duration.ofSeconds(Math.max(1, behindTicks / Ticks.PER_SECOND))
        : Duration.ZERO;
  }

  /** Removes the watermark's lead. No reader may request a settled tick afterwards. */
  public void close() {
    long published;
    synchronized (this) {
      published = publishedTicks;
    }
    writing.lock();
    try {
      if (published < watermarkTicks && watermarkTicks != 0) {
        moveWatermark(published);
      }
    } finally {
      writing.unlock();
    }
  }

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
