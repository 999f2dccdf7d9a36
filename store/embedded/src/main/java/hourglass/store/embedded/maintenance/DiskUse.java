package hourglass.store.embedded.maintenance;

import hourglass.store.BudgetDrop.Why;
import hourglass.store.DiskBudget;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.firsttimes.FirstTimeIndex;
import hourglass.store.embedded.late.LateArrivalIndex;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Measures what a store takes of its disk. Thread-safe. */
public record DiskUse(
    Disk disk,
    Path dir,
    PageFiles files,
    LogCutter log,
    LateArrivalIndex lateArrivals,
    FirstTimeIndex firstTimes) {

  /** How many bytes more the store may take for a part of a budget; negative if it is exceeded. */
  record Headroom(Why why, long bytes) {}

  /** The bytes of the data directory. */
  public long storeBytes() {
    return files.diskBytes() + logBytes() + lateArrivalBytes() + firstTimes.diskBytes();
  }

  public long logBytes() {
    return log.logBytes();
  }

  public long lateArrivalBytes() {
    return lateArrivals.diskBytes();
  }

  /**
   * Returns the smaller headroom of the two parts of a budget; null if there is no budget.
   *
   * @param leaving the bytes of listed files that are as good as free
   */
  @Nullable Headroom headroom(DiskBudget budget, long leaving) throws IOException {
    if (!budget.isOn()) {
      return null;
    }
    long usable = disk.usableBytes(dir);
    long ofStore = budget.bytesMax() - storeBytes() + leaving;
    long total = disk.totalBytes(dir);
    long ofDisk =
        total / 100 * budget.diskPercentMax() - total + usable + leaving + files.waitingBytes();
    boolean isOfDisk =
        budget.diskPercentMax() < DiskBudget.WHOLE_DISK
            && (budget.bytesMax() == DiskBudget.NO_BYTES_MAX || ofDisk < ofStore);
    return isOfDisk
        ? new Headroom(Why.MAX_DISK_PERCENT, ofDisk)
        : new Headroom(Why.MAX_BYTES, ofStore);
  }
}
