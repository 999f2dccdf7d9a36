package hourglass.store.embedded;

import hourglass.store.UnavailableException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
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
final class FolderWatch implements Closeable {
  private static final Logger log = LoggerFactory.getLogger(FolderWatch.class);

  /** Every change of the disk looks by itself; this is for a store that nothing is written to. */
  private static final long LOOK_MILLIS = 500;

  private final Path dir;
  private final List<Watched> watched = new CopyOnWriteArrayList<>();
  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(1, task -> new Thread(task, "hourglass-lock"));
  private volatile @Nullable String lost;

  private record Watched(Path path, Object identity) {}

  /**
   * @param paths what is there now, folders before what they hold
   */
  FolderWatch(Path dir, List<Path> paths) throws IOException {
    this.dir = dir.toAbsolutePath();
    for (Path path : paths) {
      add(path);
    }
  }

  /** Begins to look from time to time. */
  void start() {
    var unused =
        thread.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  void add(Path path) throws IOException {
    watched.add(new Watched(path, identity(path)));
  }

  /** The device and number of a file; where a system has neither, when it was made. */
  static Object identity(Path path) throws IOException {
    BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
    Object key = found.fileKey();
    return key != null ? key : found.creationTime();
  }

  private void look() {
    try {
      check();
    } catch (IOException | UnavailableException e) {
      log.debug("the look at the data directory failed: {}", e.toString());
    }
  }

  /**
   * Returns if the directory is still the one that was locked.
   *
   * @throws UnavailableException if it is not, or was not at any time before
   * @throws IOException if that cannot be found out
   */
  void check() throws IOException {
    refuseIfLost();
    for (Watched one : watched) {
      check(one.path(), one.identity());
    }
  }

  /** As {@link #check()}, for one path. */
  void check(Path path, Object identity) throws IOException {
    try {
      if (!identity.equals(identity(path))) {
        lose(path + " was replaced by another");
      }
    } catch (NoSuchFileException e) {
      lose(path + " was deleted or moved away");
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

  /** As {@link #check()}, without a look at the disk. */
  void refuseIfLost() {
    String reason = lost;
    if (reason != null) {
      throw new UnavailableException(reason);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
