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
 * Notices when the data directory is no longer the one that this process locked: LOCK or a folder
 * was deleted, moved, or another is in its place. What is written then may be read by no later
 * start, or spoil the files of another process. So it is lost for good once it was: only a restart
 * looks at it anew. Thread-safe.
 */
public final class DirectoryWatch implements Closeable {
  private static final Logger log = LoggerFactory.getLogger(DirectoryWatch.class);

  /** Every change of the disk looks by itself; this is for a store that nothing is written to. */
  private static final long LOOK_MILLIS = 500;

  private final Path dir;
  private final List<Watched> watched = new CopyOnWriteArrayList<>();

  /** Hold every watched folder: the number of a deleted one may be given to another at once. */
  private final List<FileChannel> held = new CopyOnWriteArrayList<>();

  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(1, task -> new Thread(task, "hourglass-lock"));
  private volatile @Nullable String lost;

  /** A file or folder as it was found, which must be open for as long as it is watched. */
  public record Watched(Path path, Object identity) {

    static Watched now(Path path) throws IOException {
      return new Watched(path, identityOf(path));
    }

    /** The device and number of a file; where a system has neither, when it was made. */
    private static Object identityOf(Path path) throws IOException {
      BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
      Object key = found.fileKey();
      return key != null ? key : found.creationTime();
    }

    boolean isThere() throws IOException {
      return identity.equals(identityOf(path));
    }
  }

  /**
   * Watches a directory and a file in it.
   *
   * @param lock its lock, which the caller holds open: opening it again here would end the lock
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

  /** Begins to look from time to time. */
  void start() {
    var unused =
        thread.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Watches one more folder; those above it are watched already. */
  void addFolder(Path folder) throws IOException {
    held.add(FileChannel.open(folder, StandardOpenOption.READ));
    watched.add(Watched.now(folder));
  }

  private void look() {
    try {
      check();
    } catch (IOException | UnavailableException e) {
      log.debug("the look at the data directory failed: {}", e.toString());
    }
  }

  /**
   * Returns if the directory, and these files of it, are still those that were locked.
   *
   * @throws UnavailableException if they are not, or were not at any time before
   * @throws IOException if that cannot be found out
   */
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
          dir
              + ": no longer the directory that this process locked: "
              + how
              + "; nothing is stored any more. Stop this process, put back what was moved, and"
              + " start again";
      log.error("{}", lost);
    }
  }

  /** As {@link #check}, without a look at the disk. */
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
