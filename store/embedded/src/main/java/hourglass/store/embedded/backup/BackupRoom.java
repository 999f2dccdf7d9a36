package hourglass.store.embedded.backup;

import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.SpaceGuard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The free space on the disks of a backup and of its store. Thread-safe.
 *
 * @param to the folder of the backup
 * @param data the folder of the store
 * @param store the guard of its disk
 */
record BackupRoom(Disk disk, Path to, Path data, SpaceGuard store) {

  /**
   * Throws IOException if a file has no room. On the disk of the store it leaves the store its
   * reserve.
   */
  void check(long bytes) throws IOException {
    boolean isSame = Files.getFileStore(to).equals(Files.getFileStore(data));
    long usable = disk.usableBytes(to);
    if (isSame) {
      try {
        store.check(bytes);
      } catch (UnavailableException e) {
        throw new IOException(e.getMessage(), e);
      }
    } else if (usable - bytes < SpaceGuard.ROOM_BYTES_MIN) {
      throw new IOException(
          "%s: %s bytes free, a file of %s must leave %s; make room on the disk, or prune the backup"
              .formatted(to, usable, bytes, SpaceGuard.ROOM_BYTES_MIN));
    }
  }

  /** Throws IOException if the store refuses writes while a point keeps files that it deleted. */
  void refuseIfStoreIsFull(StorePoint.Source source) throws IOException {
    try {
      store.check(0);
    } catch (UnavailableException e) {
      if (source.keepsDeletedFiles()) {
        throw new IOException(
            e.getMessage()
                + "; the backup ends for the sake of writes, as it keeps files that were deleted;"
                + " make it again later",
            e);
      }
    }
  }
}
