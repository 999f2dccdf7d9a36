package hourglass.store.embedded.late;

import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.Watermark;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The greatest settled tick that readers may have, kept in a file. After a restart, columns before
 * it are late even if the clock was set back. The file is ahead of the readers, so that many reads
 * share one write. Thread-safe.
 */
public final class SettledWatermark {
  private static final Logger logger = LoggerFactory.getLogger(SettledWatermark.class);

  private static final long VERSION = 1;

  /** No reader has a settled tick yet. */
  private static final long NOTHING = 0;

  private final Disk disk;
  private final Path file;
  private final long leadTicks;

  /** Held while the file is written. */
  private final ReentrantLock writing = new ReentrantLock();

  private volatile long ticks;
  private volatile boolean failed;

  /**
   * Reads the file, if there is one. After a kill, columns within the lead may be treated as late.
   */
  public SettledWatermark(Disk disk, Path file, long leadTicks) throws IOException {
    this.disk = disk;
    this.file = file;
    this.leadTicks = leadTicks;
    boolean hasFolder = FileKind.FOLDER.isAt(file.resolveSibling(""));
    Watermark found = hasFolder ? Watermark.read(file) : null;
    this.ticks = found == null ? NOTHING : found.last();
  }

  /** The greatest settled tick that readers may get. */
  long ticks() {
    return ticks;
  }

  /** Moves the watermark if a settled tick is near it; waits for the disk then. */
  void advance(long settledTicks) {
    if (settledTicks <= ticks - leadTicks / 2) {
      return;
    }
    if (settledTicks > ticks) {
      writing.lock(); // otherwise the reader would get an older tick
    } else if (!writing.tryLock()) {
      return;
    }
    try {
      if (settledTicks > ticks - leadTicks / 2) {
        move(settledTicks + leadTicks);
      }
    } finally {
      writing.unlock();
    }
  }

  /** Removes the lead once no reader is left. */
  void end(long settledTicks) {
    writing.lock();
    try {
      if (settledTicks < ticks && ticks != NOTHING) {
        move(settledTicks);
      }
    } finally {
      writing.unlock();
    }
  }

  /** Writes the file. Without it, tails may miss events only if the clock is set back. */
  private void move(long toTicks) {
    try {
      new Watermark(VERSION, toTicks).write(disk, file);
      failed = false;
    } catch (IOException e) {
      if (!failed) {
        logger.warn(
            "{}: cannot be written: {}; should the clock be set back before the next start, tails"
                + " may miss events",
            file,
            e.toString());
      }
      failed = true;
    }
    ticks = toTicks;
  }
}
