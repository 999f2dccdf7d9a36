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

  /**
   * Returns the bytes that may be written until writes are refused, negative while they are.
   * Returns NaN if the disk does not tell.
   */
  public double freeBytes() {
    try {
      return (double) (disk.usableBytes(dir) - reserveBytes);
    } catch (IOException e) {
      return Double.NaN;
    }
  }

  /** Throws UnavailableException if so many more bytes would use the reserve. */
  public void check(long bytes) {
    check(bytes, reserveBytes);
  }

  /**
   * Throws UnavailableException if so many more bytes, which free others, would use the lower half
   * of the reserve.
   */
  public void checkFreeing(long bytes) {
    check(bytes, reserveBytes / 2);
  }

  /** Whether {@link #checkFreeing} lets so many bytes be written. */
  public boolean mayFree(long bytes) {
    try {
      return disk.usableBytes(dir) - bytes >= reserveBytes / 2;
    } catch (IOException e) {
      return false;
    }
  }

  private void check(long bytes, long keptBytes) {
    long usable;
    try {
      usable = disk.usableBytes(dir);
    } catch (IOException e) {
      throw new UnavailableException(
          dir + ": its free space cannot be read: " + FileProblem.of(e), e);
    }
    if (usable - bytes < keptBytes) {
      throw new UnavailableException(
          "%s: %s bytes free, a reserve of %s is kept; make room on the disk"
              .formatted(dir, usable, keptBytes));
    }
  }
}
