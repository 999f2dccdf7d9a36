package hourglass.store.embedded.backup;

import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.backup.BackupState.Phase;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.FileProblem;
import hourglass.store.embedded.disk.RealPath;
import hourglass.store.embedded.disk.SpaceGuard;
import hourglass.store.embedded.disk.Uninterrupted;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes backups of a running store, one at a time, on a thread of their own. Thread-safe. */
public final class Backups implements Closeable {
  private static final Logger logger = LoggerFactory.getLogger(Backups.class);

  private static final Duration CLOSE_MAX = Duration.ofSeconds(20);

  private final StorePoint.Source source;
  private final Path data;
  private final Disk disk;
  private final Clock clock;
  private final SpaceGuard space;
  private final Duration closeMax;

  /** The last backup of this process; null before the first. */
  private volatile @Nullable BackupProgress last;

  private volatile boolean isClosed;

  /** The backup that is being made; null if there is none. */
  private volatile @Nullable Running running;

  /** Guarded by this. */
  private @Nullable Thread thread;

  /** Creates backups of a store, which wait at most 20 s for the end of one that is stopped. */
  public Backups(StorePoint.Source source, Path data, Disk disk, Clock clock, SpaceGuard space) {
    this(source, data, disk, clock, space, CLOSE_MAX);
  }

  /**
   * Creates backups of a store.
   *
   * @param data the folder of the store, in which no backup may be
   * @param space the guard of the disk of the store; a backup on the same disk leaves its reserve
   * @param closeMax the longest wait for the end of a backup that is stopped
   */
  public Backups(
      StorePoint.Source source,
      Path data,
      Disk disk,
      Clock clock,
      SpaceGuard space,
      Duration closeMax) {
    this.source = source;
    this.data = data;
    this.disk = disk;
    this.clock = clock;
    this.space = space;
    this.closeMax = closeMax;
  }

  /** Thrown if a backup is running, as one is made at a time. */
  public static final class RunningException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RunningException(Path to, Instant began) {
      super("a backup to %s is running since %s; wait for its end".formatted(to, began));
    }
  }

  private record Running(Path to, Instant began) {}

  /**
   * Begins a backup. The stage completes with its id once its folder is ready, and fails with
   * {@link RunningException}, with {@link CorruptException} if the folder has something else, or
   * with {@link UnavailableException}.
   *
   * @param link whether files are linked where that is possible, in place of copies
   * @param bytesPerSecond the most bytes that are copied in a second; 0 for no limit
   */
  public synchronized CompletionStage<BackupState> begin(
      Path to, boolean link, long bytesPerSecond) {
    if (isClosed) {
      return CompletableFuture.failedFuture(new UnavailableException("the store is closed"));
    }
    Running other = running;
    if (other != null) {
      return CompletableFuture.failedFuture(new RunningException(other.to(), other.began()));
    }
    running = new Running(to, clock.instant());
    CompletableFuture<BackupState> begun = new CompletableFuture<>();
    Thread next = new Thread(() -> run(to, link, bytesPerSecond, begun), "hourglass-backup");
    next.setDaemon(true);
    thread = next;
    next.start();
    return begun;
  }

  /** Returns the source of points, for others that copy the files of one. */
  public StorePoint.Source source() {
    return source;
  }

  /** Returns the running or last backup of this process; null if there was none. */
  public @Nullable BackupState last() {
    BackupProgress known = last;
    return known == null ? null : known.state();
  }

  private BackupState beginning(Path to, boolean link, String id) {
    return new BackupState(
        id, to, link, Phase.FLUSHING, 0, 0, 0, 0, 0, 0, 0, 0, clock.instant(), null, null);
  }

  private void run(
      Path to, boolean link, long bytesPerSecond, CompletableFuture<BackupState> begun) {
    BackupProgress progress =
        new BackupProgress(beginning(to, link, "")); // the id is known once the folder is locked
    Throwable failure = null;
    try {
      refuseFoldersOfOthers(to);
      if (!FileKind.FOLDER.isAt(to)) {
        disk.createDirectories(to);
      }
      make(new BackupFiles(to), bytesPerSecond, progress, begun);
    } catch (IOException | RuntimeException | Error e) { // the thread would end unseen
      failure = e;
    }
    running = null; // before others learn of the end, and may begin the next one
    if (!begun.isDone() && failure != null) {
      begun.completeExceptionally(
          failure instanceof RuntimeException
              ? failure
              : new UnavailableException(to + ": " + FileProblem.of(failure), failure));
    } else {
      end(progress, failure);
    }
  }

  private void make(
      BackupFiles files,
      long bytesPerSecond,
      BackupProgress progress,
      CompletableFuture<BackupState> begun)
      throws IOException {
    try (BackupLock lock = BackupLock.take(files)) {
      files.prepare(disk);
      String id = id(files);
      progress.change(builder -> builder.id(id));
      last = progress;
      begun.complete(progress.state());
      BackupRoom room = new BackupRoom(disk, files.dir(), data, space);
      boolean isDone = false;
      try {
        new BackupRun(source, files, disk, clock, bytesPerSecond, room, progress, () -> isClosed)
            .run(id);
        isDone = true;
      } finally {
        if (!isDone) {
          tryDeletingPending(files);
        }
      }
    }
  }

  private void tryDeletingPending(BackupFiles files) {
    try {
      files.deletePending(disk);
    } catch (IOException e) { // the next backup or prune deletes it
      logger.warn("{}: cannot be emptied: {}", files.pending(), e.toString());
    }
  }

  private void end(BackupProgress progress, @Nullable Throwable failure) {
    String why = failure == null ? null : why(failure);
    if (failure != null) {
      logger.warn("{}: the backup failed: {}", progress.state().to(), why, failure);
    }
    progress.set(progress.state().ended(clock.instant(), why));
  }

  private static String why(Throwable failure) {
    boolean isKnown =
        failure instanceof UnavailableException || failure instanceof CorruptException;
    return isKnown ? String.valueOf(failure.getMessage()) : FileProblem.of(failure);
  }

  private String id(BackupFiles files) throws IOException {
    return BackupFiles.id(BackupFiles.nextNumber(files.ids()), clock.instant());
  }

  private void refuseFoldersOfOthers(Path to) throws IOException {
    Path own = RealPath.of(data);
    Path there = RealPath.of(to);
    for (Path around = there.getParent(); around != null; around = around.getParent()) {
      if (Files.exists(new BackupFiles(around).version())) {
        throw new CorruptException(
            "%s: in the folder of the backup %s; choose another folder".formatted(to, around));
      }
    }
    if (there.startsWith(own) || own.startsWith(there)) {
      throw new CorruptException(
          "%s: in the data directory %s, or around it; choose another folder, best on another disk"
              .formatted(to, data));
    }
  }

  /**
   * Stops a running backup, and waits for its end, unless a disk does not answer. Such a backup has
   * no point, and ends with the process.
   */
  @Override
  public void close() {
    Thread last;
    synchronized (this) {
      isClosed = true;
      last = thread;
    }
    if (last != null) {
      Uninterrupted.await(() -> last.join(closeMax.toMillis()));
      if (last.isAlive()) {
        logger.warn("the backup has not ended after {}; its disk does not answer", closeMax);
      }
    }
  }
}
