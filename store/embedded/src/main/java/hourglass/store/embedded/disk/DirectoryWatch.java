package hourglass.store.embedded.disk;

import hourglass.store.UnavailableException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices when LOCK or a folder of the data directory was deleted, moved or replaced. Writes after
 * that might be lost, or damage another process's files, so they are refused until a restart.
 * Thread-safe.
 */
public final class DirectoryWatch implements Closeable {
  private static final Logger logger = LoggerFactory.getLogger(DirectoryWatch.class);

  /** The period of checks for a store without writes; each change of the disk checks too. */
  private static final long CHECK_MILLIS = 500;

  private final Path dir;
  private final List<Watched> watched = new CopyOnWriteArrayList<>();

  /**
   * Open channels of the folders. Without them, the system could give the number of a deleted
   * folder to a new one.
   */
  private final List<FileChannel> held = new CopyOnWriteArrayList<>();

  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(1, task -> new Thread(task, "hourglass-lock"));
  private volatile @Nullable String lost;

  /** A path and the identity of the file there. The file must stay open while it is watched. */
  public record Watched(Path path, Object identity) {
    static Watched now(Path path) throws IOException {
      return new Watched(path, identityOf(path));
    }

    /** Returns device and inode, or path and creation time if the system has neither. */
    private static Object identityOf(Path path) throws IOException {
      BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
      Object key = found.fileKey();
      return key != null ? key : List.of(path.toRealPath(), found.creationTime());
    }

    boolean isThere() throws IOException {
      return identity.equals(identityOf(path));
    }
  }

  /**
   * Watches a directory and its lock file. It does not open the lock file, since a close would
   * release the lock.
   */
  DirectoryWatch(Path dir, Path lock) throws IOException {
    this.dir = dir.toAbsolutePath();
    try {
      addFolder(dir);
      watched.add(Watched.now(lock));
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  void start() {
    var unused =
        thread.scheduleWithFixedDelay(
            this::checkPeriodically, CHECK_MILLIS, CHECK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Watches another folder, whose parents must be watched already. */
  void addFolder(Path folder) throws IOException {
    held.add(FileChannel.open(folder, StandardOpenOption.READ));
    watched.add(Watched.now(folder));
  }

  private void checkPeriodically() {
    try {
      check();
    } catch (IOException | UnavailableException e) {
      logger.debug("the data directory cannot be checked: {}", e.toString());
    }
  }

  /** Throws UnavailableException if the directory or a file was replaced, now or earlier. */
  public void check(Watched... files) throws IOException {
    refuseIfLost();
    for (Watched folder : watched) {
      checkOne(folder);
    }
    for (Watched file : files) {
      checkOne(file);
    }
  }

  private void checkOne(Watched one) throws IOException {
    try {
      if (!one.isThere()) {
        lose(one.path() + " was replaced by another");
      }
    } catch (NoSuchFileException e) {
      lose(one.path() + " was deleted or moved away");
    }
    refuseIfLost();
  }

  private synchronized void lose(String how) {
    if (lost == null) {
      lost =
          ("%s: no longer the directory that this process locked: %s; nothing is stored any more."
                  + " Stop this process, put back what was moved, and start again")
              .formatted(dir, how);
      logger.error("{}", lost);
    }
  }

  /**
   * Throws if {@link #check} found earlier that the directory is lost. Does not access the disk.
   */
  public void refuseIfLost() {
    String reason = lost;
    if (reason != null) {
      throw new UnavailableException(reason);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    held.forEach(QuietClose::quietly);
  }
}
