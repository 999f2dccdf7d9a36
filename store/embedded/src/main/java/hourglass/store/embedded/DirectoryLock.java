package hourglass.store.embedded;

import hourglass.store.UnavailableException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Keeps a second process, and a second store of this one, out of a data directory. */
final class DirectoryLock implements Closeable {
  private final FileChannel channel;

  private DirectoryLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes the lock.
   *
   * @throws UnavailableException naming the directory and the process that holds it
   */
  static DirectoryLock take(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    if (tryLock(channel) == null) {
      String holder = Files.readString(file).strip();
      channel.close();
      throw new UnavailableException(
          file.getParent()
              + ": in use by process "
              + holder
              + "; stop it, or choose another directory");
    }
    channel.truncate(0);
    String pid = Long.toString(ProcessHandle.current().pid());
    channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
    return new DirectoryLock(channel);
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
