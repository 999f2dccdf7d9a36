package hourglass.store.embedded.disk;

import hourglass.store.UnavailableException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a second process, and a second store of this one, out of a data directory.
 *
 * <p>Two locks do. LOCK is held for as long as the store is open. If LOCK is deleted, the next
 * process makes another and locks that. So the writer of the log also locks the newest segment
 * ({@link Disk.AppendFile#lock}), and a start tries the lock of every segment. A segment that is
 * gone is missed by other means. The system drops both with the process.
 *
 * <p>The system also drops all locks of a process on a file when any of its descriptors of that
 * file is closed. So this process opens LOCK and the newest segment once: a second store of this
 * process is turned away before it opens either, and replay ends before the segment is begun.
 */
public final class DirectoryLock implements Closeable {
  /** Directories that this process holds: what the system knows them by, or their paths. */
  private static final Set<Object> HELD = ConcurrentHashMap.newKeySet();

  /** How often a lock is tried for on a file that others replace meanwhile. */
  private static final int TRIES = 10;

  private final StoreFiles files;
  private final Object held;
  private final FileChannel channel;
  private final DirectoryWatch watch;

  private DirectoryLock(StoreFiles files, Object held, FileChannel channel, DirectoryWatch watch) {
    this.files = files;
    this.held = held;
    this.channel = channel;
    this.watch = watch;
  }

  /**
   * Takes the lock of a directory that exists.
   *
   * @throws UnavailableException naming the directory and the process that holds it, if it is known
   */
  public static DirectoryLock take(StoreFiles files) throws IOException {
    Object directory = identity(files.dir());
    if (!HELD.add(directory)) {
      throw inUse(files, Long.toString(ProcessHandle.current().pid()));
    }
    FileChannel channel = null;
    DirectoryWatch watch = null;
    try {
      channel = lock(files);
      watch = new DirectoryWatch(files.dir(), files.lock());
      refuseHeldSegments(files);
      writeHolder(channel);
      return new DirectoryLock(files, directory, channel, watch);
    } catch (IOException | RuntimeException e) {
      if (watch != null) {
        watch.close();
      }
      if (channel != null) {
        QuietClose.quietly(channel);
      }
      HELD.remove(directory);
      throw e;
    }
  }

  /** What a file is known by whatever path leads to it. */
  private static Object identity(Path path) throws IOException {
    Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    return key != null ? key : path.toRealPath();
  }

  /** Locks the file that has the name now, and not one that had it a moment ago. */
  private static FileChannel lock(StoreFiles files) throws IOException {
    NoSuchFileException gone = null;
    for (int tries = 0; tries < TRIES; tries++) {
      FileChannel channel =
          FileChannel.open(
              files.lock(),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      boolean kept = false;
      try {
        Object before = identity(files.lock());
        if (tryLock(channel, files.lock(), false) == null) {
          throw inUse(files, LockHolder.of(files.lock(), FirstLine.of(files.lock())));
        }
        // What was opened before this is what is there after it, unless it was replaced twice.
        kept = Objects.equals(before, identity(files.lock()));
        if (kept) {
          return channel;
        }
      } catch (NoSuchFileException e) {
        gone = e;
      } finally {
        if (!kept) {
          QuietClose.quietly(channel);
        }
      }
    }
    throw new UnavailableException(
        files.lock() + ": others replace it all the time; stop them, and start again", gone);
  }

  /**
   * Refuses a directory whose log another process writes, with a LOCK that is no longer there. It
   * holds its next segment before it lets go of the last, so what is new after a look is looked at.
   */
  private static void refuseHeldSegments(StoreFiles files) throws IOException {
    Set<Path> free = new HashSet<>();
    for (List<Path> found = segments(files, free);
        !found.isEmpty();
        found = segments(files, free)) {
      for (Path segment : found) {
        if (isHeld(segment)) {
          throw inUse(files, LockHolder.of(segment, ""));
        }
        free.add(segment);
      }
    }
  }

  private static List<Path> segments(StoreFiles files, Set<Path> but) throws IOException {
    if (!Files.isDirectory(files.log())) {
      return List.of();
    }
    try (var found = Files.list(files.log())) {
      return found
          .filter(path -> path.toString().endsWith(StoreFiles.SEGMENT_SUFFIX))
          .filter(path -> Files.isRegularFile(path) && !but.contains(path))
          .toList();
    }
  }

  private static boolean isHeld(Path segment) throws IOException {
    // A shared lock, so that a file that cannot be written is no obstacle.
    try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.READ)) {
      return tryLock(channel, segment, true) == null;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel, Path file, boolean shared)
      throws IOException {
    try {
      return channel.tryLock(0, Long.MAX_VALUE, shared);
    } catch (IOException e) {
      throw new UnavailableException(
          file + ": cannot be locked: " + e + "; choose a directory on a disk that has locks", e);
    }
  }

  private static void writeHolder(FileChannel channel) throws IOException {
    String pid = Long.toString(ProcessHandle.current().pid());
    channel.truncate(0);
    channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
  }

  private static UnavailableException inUse(StoreFiles files, String holder) {
    return new UnavailableException(
        files.dir().toAbsolutePath()
            + ": in use by process "
            + holder
            + "; stop it, or choose another directory");
  }

  /** Begins to watch, the folders of the log and of the hours too, which are there from now on. */
  public void beginWatch() throws IOException {
    watch.addFolder(files.log());
    watch.addFolder(files.hours());
    watch.start();
  }

  /** What shows whether the directory is still the one that was locked. */
  public DirectoryWatch watch() {
    return watch;
  }

  @Override
  public void close() throws IOException {
    watch.close();
    try {
      channel.close();
    } finally {
      HELD.remove(held);
    }
  }
}
