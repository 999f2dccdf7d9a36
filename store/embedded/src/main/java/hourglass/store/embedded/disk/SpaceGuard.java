package hourglass.store.embedded.disk;

import hourglass.store.UnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Keeps free space on the disk: writes are refused while accepted columns can still be flushed, so
 * that the log can be cut and gives space back. Thread-safe.
 */
public final class SpaceGuard {
  /**
   * The free space that pages of accepted columns leave, for the catalogue, the log and other
   * writers.
   */
  public static final long ROOM_BYTES_MIN = 16L << 20;

  private static final long RESERVE_BYTES_MIN = 1L << 30;
  private static final int RESERVE_SHARE = 20;

  private final Disk disk;
  private final Path dir;
  private final long reserveBytes;

  public SpaceGuard(Disk disk, Path dir, @Nullable Long reserveBytes) throws IOException {
    this.disk = disk;
    this.dir = dir;
    this.reserveBytes =
        reserveBytes != null
            ? reserveBytes
            : Math.max(RESERVE_BYTES_MIN, disk.totalBytes(dir) / RESERVE_SHARE);
  }

  public void check(long bytes) {
    long usable;
    try {
      usable = disk.usableBytes(dir);
    } catch (IOException e) {
      throw new UnavailableException(
          dir + ": its free space cannot be read: " + FileProblem.of(e), e);
    }
    if (usable - bytes < reserveBytes) {
      throw new UnavailableException(
          "%s: %s bytes free, a reserve of %s is kept; make room on the disk"
              .formatted(dir, usable, reserveBytes));
    }
  }
}
