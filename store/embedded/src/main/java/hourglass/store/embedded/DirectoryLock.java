package hourglass.store.embedded;

import hourglass.store.UnavailableException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Keeps a second process, and a second store of this one, out of a data directory. */
final class DirectoryLock implements Closeable {
  /**
   * Directories that this process holds. Asked before the file is opened, since the system gives up
   * all locks of a process on a file when any of its descriptors of that file is closed.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final FileChannel channel;
  private final Path held;

  private DirectoryLock(FileChannel channel, Path held) {
    this.channel = channel;
    this.held = held;
  }

  /**
   * Takes the lock.
   *
   * @throws UnavailableException naming the directory and the process that holds it
   */
  static DirectoryLock take(Path file) throws IOException {
    Path dir = file.toAbsolutePath().resolveSibling("").toRealPath();
    String pid = Long.toString(ProcessHandle.current().pid());
    if (!HELD.add(dir)) {
      throw inUse(dir, pid);
    }
    try {
      return new DirectoryLock(lock(file, pid), dir);
    } catch (IOException | RuntimeException e) {
      HELD.remove(dir);
      throw e;
    }
  }

  private static FileChannel lock(Path file, String pid) throws IOException {
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    if (channel.tryLock() == null) {
      String holder = FirstLine.of(file).strip();
      channel.close();
      throw inUse(file.toAbsolutePath().getParent(), holder);
    }
    channel.truncate(0);
    channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
    return channel;
  }

  private static UnavailableException inUse(@Nullable Path dir, String holder) {
    return new UnavailableException(
        dir + ": in use by process " + holder + "; stop it, or choose another directory");
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      HELD.remove(held);
    }
  }
}
