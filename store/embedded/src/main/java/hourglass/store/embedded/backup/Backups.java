package hourglass.store.embedded.backup;

import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.backup.BackupState.Phase;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileProblem;
import hourglass.store.embedded.disk.RealPath;
import hourglass.store.embedded.disk.SpaceGuard;
import hourglass.store.embedded.disk.Uninterrupted;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes backups of a running store, one at a time, on a thread of their own. Thread-safe. */
public final class Backups implements Closeable {
  private static final Logger logger = LoggerFactory.getLogger(Backups.class);

  private static final DateTimeFormatter ID_TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private final StorePoint.Source source;
  private final Path data;
  private final Disk disk;
  private final Clock clock;
  private final @Nullable Long reserveBytes;

  /** The last backup of this process; null before the first. */
  private volatile @Nullable BackupProgress last;

  private volatile boolean isClosed;

  /** The backup that is being made; null if there is none. */
  private volatile @Nullable Running running;

  /** Guarded by this. */
  private @Nullable Thread thread;

  /**
   * Creates backups of a store.
   *
   * @param data the folder of the store, in which no backup may be
   * @param reserveBytes the free space that writes of the store leave; if null, it is chosen as
   *     there. A backup on the same disk leaves it too
   */
  public Backups(
      StorePoint.Source source, Path data, Disk disk, Clock clock, @Nullable Long reserveBytes) {
    this.source = source;
    this.data = data;
    this.disk = disk;
    this.clock = clock;
    this.reserveBytes = reserveBytes;
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
      refuseOwnFolder(to);
      disk.createDirectories(to);
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
      Pace pace = new Pace(bytesPerSecond, () -> isClosed);
      new BackupRun(
              source, files, disk, clock, pace, bytes -> checkRoom(files.dir(), bytes), progress)
          .run(id);
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
    return "%06d-%s"
        .formatted(BackupFiles.nextNumber(files.ids()), ID_TIME.format(clock.instant()));
  }

  private void refuseOwnFolder(Path to) throws IOException {
    Path own = RealPath.of(data);
    Path there = RealPath.of(to);
    if (there.startsWith(own) || own.startsWith(there)) {
      throw new CorruptException(
          "%s: in the data directory %s, or around it; choose another folder, best on another disk"
              .formatted(to, data));
    }
  }

  /** Leaves the store its reserve if the backup is on the same disk. */
  private void checkRoom(Path to, long bytes) throws IOException {
    boolean isSame = Files.getFileStore(to).equals(Files.getFileStore(data));
    long usable = disk.usableBytes(to);
    if (isSame) {
      try {
        new SpaceGuard(disk, data, reserveBytes).check(bytes);
      } catch (UnavailableException e) {
        throw new IOException(e.getMessage(), e);
      }
    } else if (usable - bytes < SpaceGuard.ROOM_BYTES_MIN) {
      throw new IOException(
          "%s: %s bytes free, a file of %s must leave %s; make room on the disk, or prune the backup"
              .formatted(to, usable, bytes, SpaceGuard.ROOM_BYTES_MIN));
    }
  }

  /** Stops a running backup, and waits for its end. */
  @Override
  public void close() {
    Thread last;
    synchronized (this) {
      isClosed = true;
      last = thread;
    }
    if (last != null) {
      Uninterrupted.await(last::join);
    }
  }
}
