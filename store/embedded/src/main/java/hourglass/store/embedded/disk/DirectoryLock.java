package hourglass.store.embedded.disk;

import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.DirectoryWatch.Watched;
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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keeps other stores and processes out of a data directory.
 *
 * <p>The file LOCK is locked while the store is open. If it is deleted, another process could lock
 * a new one. So the log's writer also locks the newest segment ({@link Disk.AppendFile#lock}), and
 * a start tries to lock every segment. The system releases both locks when the process ends.
 *
 * <p>The system also releases a lock when the process closes any descriptor of the file. So this
 * process opens each file only once: a second store fails before it opens LOCK, and replay ends
 * before the new segment is begun.
 */
public final class DirectoryLock implements Closeable {
  /** The identities of the directories that this process has open. */
  private static final Set<Object> HELD = ConcurrentHashMap.newKeySet();

  private static final int TRIES = 10;

  /** The file in which Linux lists locks; a line ends in "WRITE 4711 fe:01:131074 0 EOF". */
  private static final Path SYSTEM_LOCKS = Path.of("/proc/locks");

  private static final String UNKNOWN = "of an unknown number";

  private static final Pattern SYSTEM_LOCK =
      Pattern.compile("POSIX +\\S+ +WRITE +(\\d+) +\\w+:\\w+:(\\d+) .*");

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

  /** Locks an existing directory. A failure names the process that holds it, if known. */
  public static DirectoryLock take(StoreFiles files) throws IOException {
    Watched directory = Watched.now(files.dir());
    if (!HELD.add(directory.identity())) {
      throw inUse(files, Long.toString(ProcessHandle.current().pid()));
    }
    FileChannel channel = null;
    DirectoryWatch watch = null;
    try {
      channel = lock(files);
      watch = new DirectoryWatch(files.dir(), files.lock());
      refuseHeldSegments(files);
      writeHolder(channel);
      return new DirectoryLock(files, directory.identity(), channel, watch);
    } catch (IOException | RuntimeException e) {
      if (watch != null) {
        watch.close();
      }
      if (channel != null) {
        QuietClose.quietly(channel);
      }
      HELD.remove(directory.identity());
      throw e;
    }
  }

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
        Watched before = Watched.now(files.lock());
        if (tryLock(channel, files.lock(), false) == null) {
          throw inUse(files, holder(files.lock(), StoreFiles.firstLine(files.lock())));
        }
        // If the file is the same before and after, the channel is open on it, unless it was
        // replaced twice.
        kept = before.isThere();
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
   * Refuses a log that another process still writes although LOCK was deleted. That process locks
   * its next segment before it releases the last, so new segments are checked as well.
   */
  private static void refuseHeldSegments(StoreFiles files) throws IOException {
    Set<Path> free = new HashSet<>();
    List<Path> found;
    do {
      found = segments(files, free);
      for (Path segment : found) {
        if (isHeld(segment)) {
          throw inUse(files, holder(segment, ""));
        }
        free.add(segment);
      }
    } while (!found.isEmpty());
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
    // A shared lock also works on a file without write permission.
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

  private static String holder(Path file, String written) {
    if (!written.isBlank()) {
      return written.strip();
    }
    try {
      String inode = String.valueOf(Files.getAttribute(file, "unix:ino"));
      for (String line : Files.readAllLines(SYSTEM_LOCKS)) {
        Matcher lock = SYSTEM_LOCK.matcher(line.substring(line.indexOf(' ') + 1));
        if (lock.matches() && lock.group(2).equals(inode)) {
          return lock.group(1);
        }
      }
    } catch (IOException | RuntimeException e) {
      return UNKNOWN; // not Linux
    }
    return UNKNOWN;
  }

  private static void writeHolder(FileChannel channel) throws IOException {
    String pid = Long.toString(ProcessHandle.current().pid());
    channel.truncate(0);
    channel.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
  }

  private static UnavailableException inUse(StoreFiles files, String holder) {
    return new UnavailableException(
        "%s: in use by process %s; stop it, or choose another directory"
            .formatted(files.dir().toAbsolutePath(), holder));
  }

  /** Begins to watch the folders of the log and of the pages, which must exist. */
  public void beginWatch() throws IOException {
    watch.addFolder(files.log());
    watch.addFolder(files.pages());
    watch.start();
  }

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
