package hourglass.store.embedded.maintenance;

import hourglass.store.BudgetDrop.Why;
import hourglass.store.DiskBudget;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.SpaceGuard;
import hourglass.store.embedded.files.PageFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures what a store takes of its disk.
 *
 * @param storeBytes the bytes of the data directory
 */
public record DiskUse(Disk disk, Path dir, PageFiles files, LongSupplier storeBytes) {

  /** How far a part of a budget is exceeded. */
  public record Excess(Why why, long bytes) {}

  /** Returns the greater excess over the two parts of a budget; null if neither is exceeded. */
  @Nullable Excess excess(DiskBudget budget) throws IOException {
    long usable = disk.usableBytes(dir);
    long leaving = leavingBytes(usable - SpaceGuard.ROOM_BYTES_MIN);
    long overStore = storeBytes.getAsLong() - leaving - budget.bytesMax();
    long total = disk.totalBytes(dir);
    long overDisk = total - usable - leaving - total / 100 * budget.diskPercentMax();
    boolean isOfDisk = budget.diskPercentMax() < DiskBudget.WHOLE_DISK && overDisk > overStore;
    if (isOfDisk) {
      return overDisk > 0 ? new Excess(Why.MAX_DISK_PERCENT, overDisk) : null;
    }
    return overStore > 0 ? new Excess(Why.MAX_BYTES, overStore) : null;
  }

  /**
   * The bytes of deleted hours that share files with others. They are as good as free, if there is
   * room to rewrite the others; on a full disk they stay until the last hour of their file goes.
   */
  private long leavingBytes(long roomBytes) {
    return files.catalogue().files().stream()
        .filter(file -> file.goneBytes() > 0 && file.liveBytes() <= roomBytes)
        .mapToLong(file -> file.goneBytes())
        .sum();
  }
}
