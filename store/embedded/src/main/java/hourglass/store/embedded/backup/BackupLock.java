package hourglass.store.embedded.backup;

import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.QuietClose;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Keeps others from making and deleting points of a backup meanwhile. The system releases it when
 * the process ends.
 */
final class BackupLock implements Closeable {
  private final FileChannel channel;

  private BackupLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Locks an existing folder.
   *
   * @throws UnavailableException if it is locked
   * @throws hourglass.store.CorruptException if links lead out of it
   */
  static BackupLock take(BackupFiles files) throws IOException {
    files.refuseLinks();
    FileChannel channel =
        FileChannel.open(
            files.lock(),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS);
    if (tryLock(channel) == null) {
      QuietClose.quietly(channel);
      throw new UnavailableException(
          files.dir() + ": a point is being made or deleted there; try again when that is done");
    }
    return new BackupLock(channel);
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null; // this process holds it
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
