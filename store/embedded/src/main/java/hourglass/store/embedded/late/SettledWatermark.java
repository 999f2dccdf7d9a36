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
 * The tick up to which readers may have been told that all is settled, kept in a file: after a
 * restart, columns before it are late even if the clock was set back. The file runs ahead of what
 * readers were told, so that it is written once for many of them. Thread-safe.
 */
public final class SettledWatermark {
  private static final Logger log = LoggerFactory.getLogger(SettledWatermark.class);

  /** There is no other form yet. */
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
   * @param leadTicks how far the file runs ahead: after a kill, so much may be called late that is
   *     not
   * @throws hourglass.store.CorruptException naming the file and the remedy
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

  /** Moves the mark if a reader is about to come near it; waits for the disk then. */
  void cover(long settledTicks) {
    if (settledTicks <= ticks - leadTicks / 2) {
      return;
    }
    if (settledTicks > ticks) {
      writing.lock(); // or the reader would be told less than there is
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

  /** Takes back the lead when no reader comes any more. */
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

  /**
   * Without the file, tails still get all: it is missed only if the clock is set back before the
   * next start.
   */
  private void move(long toTicks) {
    try {
      new Watermark(VERSION, toTicks).write(disk, file);
      failed = false;
    } catch (IOException e) {
      if (!failed) {
        log.warn(
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
