package hourglass.store.embedded.backup;

import hourglass.store.CorruptException;
import hourglass.store.embedded.backup.BackupState.Phase;
import hourglass.store.embedded.backup.StorePoint.Part;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.files.CatalogueContent;
import hourglass.store.embedded.files.PageFileRecord;
import hourglass.store.embedded.frames.FrameWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a point: takes the files of the store, adds those that are new to the pool, reads the rows
 * of hours that changed back from there, and writes the file of the point last. Stopped at any
 * operation, it leaves the earlier points whole, and files that the next run or a prune uses or
 * deletes. Not thread-safe; use it once.
 */
final class BackupRun {
  private static final Logger logger = LoggerFactory.getLogger(BackupRun.class);

  private final StorePoint.Source source;
  private final BackupFiles files;
  private final Disk disk;
  private final Clock clock;
  private final CopyPace pace;
  private final BackupRoom room;
  private final BackupProgress progress;
  private final BooleanSupplier isStopped;

  BackupRun(
      StorePoint.Source source,
      BackupFiles files,
      Disk disk,
      Clock clock,
      long bytesPerSecond,
      BackupRoom room,
      BackupProgress progress,
      BooleanSupplier isStopped) {
    this.source = source;
    this.files = files;
    this.disk = disk;
    this.clock = clock;
    this.pace = new CopyPace(bytesPerSecond, this::refuseIfStopped);
    this.room = room;
    this.progress = progress;
    this.isStopped = isStopped;
  }

  /** Makes a point in a folder that was prepared. */
  void run(String id) throws IOException {
    Point before = lastReadable();
    Pool pool =
        new Pool(files, disk, progress.state().link(), room::check, this::copied, known(before));
    List<PointFile> copied;
    Instant time = clock.instant();
    Point.LogStart log;
    long settledTicks;
    CatalogueContent listed;
    try (StorePoint point = source.take()) {
      set(Phase.COPYING);
      copied = copy(point, pool);
      log = new Point.LogStart(point.catalogue().log().segment(), point.nextGroup());
      settledTicks = point.settledTicks();
      listed = point.catalogue();
    }
    set(Phase.READING);
    List<Point.Day> days =
        DayProofs.write(files, disk, pool, pace, before, listed, copied, this::read);
    pool.force();
    Point made = new Point(id, time, log, settledTicks, Losses.of(listed.lost()), copied, days);
    Path pending = files.pending().resolve("point");
    PointWriter.write(disk, pending, made);
    disk.move(pending, files.point(id));
    disk.forceDirectory(files.points());
    Point.Totals totals = made.totals();
    logger.info(
        "{}: point {}: {} rows with {} events, {} rows damaged, {} pages lost before",
        files.dir(),
        id,
        totals.rows(),
        totals.columns(),
        totals.damaged(),
        made.losses().pages());
  }

  private void read(Point.Totals totals) {
    progress.change(builder -> builder.rows(totals.rows()).damaged(totals.damaged()));
  }

  private void refuseIfStopped() throws IOException {
    if (isStopped.getAsBoolean()) {
      throw new IOException("stopped, since the store is closing");
    }
    if (progress.state().phase() == Phase.COPYING) { // only then it keeps files of the store
      room.refuseIfStoreIsFull(source);
    }
  }

  private void set(Phase phase) {
    progress.change(builder -> builder.phase(phase));
  }

  /** Returns the newest point whose file is whole; null if there is none. */
  private @Nullable Point lastReadable() throws IOException {
    List<String> ids = files.ids();
    for (int i = ids.size() - 1; i >= 0; i--) {
      try {
        return PointReader.read(files, ids.get(i));
      } catch (CorruptException e) {
        logger.warn("{}", e.getMessage());
      }
    }
    return null;
  }

  private List<PointFile> copy(StorePoint point, Pool pool) throws IOException {
    announce(point);
    List<PointFile> all = new ArrayList<>();
    for (Part part : point.parts()) {
      String path = point.files().dir().relativize(part.path()).toString();
      all.add(pool.addPart(part.path(), path, part.bytes()));
    }
    for (PageFileRecord file : point.catalogue().files()) {
      all.add(
          point.missing().contains(file.number())
              ? new PointFile(
                  "pages/" + point.files().pages(file.number()).getFileName(),
                  file.bytes(),
                  null,
                  null)
              : pool.addPages(point.files(), file.number(), file.bytes()));
    }
    all.add(catalogue(point, pool));
    return all;
  }

  private static Map<String, String> known(@Nullable Point before) {
    Map<String, String> known = new HashMap<>();
    if (before != null) {
      for (PointFile file : before.files()) {
        if (file.pooled() != null && file.sha256() != null) {
          known.put(file.pooled(), file.sha256());
        }
      }
    }
    return known;
  }

  /** Finds out how much there is to copy, for those who look at the progress. */
  private void announce(StorePoint point) throws IOException {
    long bytes = point.parts().stream().mapToLong(Part::bytes).sum();
    long toCopy = bytes;
    int freshFiles = point.parts().size();
    for (PageFileRecord file : point.catalogue().files()) {
      bytes += file.bytes();
      if (!point.missing().contains(file.number()) && !isThere(point, file)) {
        toCopy += file.bytes();
        freshFiles++;
      }
    }
    int count = point.parts().size() + point.catalogue().files().size();
    long all = bytes;
    long fresh = toCopy;
    int filesNew = freshFiles;
    progress.change(
        builder ->
            builder
                .files(count)
                .filesNew(filesNew)
                .bytes(all)
                .bytesToCopy(fresh)
                .missing(point.missing().size()));
  }

  private boolean isThere(StorePoint point, PageFileRecord file) throws IOException {
    try {
      return files.hasPooled(Pool.name(point.files(), file.number()), file.bytes());
    } catch (CorruptException e) {
      return false; // the copy finds out
    }
  }

  private void copied(long bytes) throws IOException {
    progress.change(builder -> builder.bytesNew(builder.bytesNew() + bytes));
    pace.copied(bytes);
  }

  private PointFile catalogue(StorePoint point, Pool pool) throws IOException {
    Path made = files.pending().resolve("catalogue");
    disk.delete(made);
    long bytes = point.catalogue().write(disk, made, FrameWriter.staging(), 1);
    PointFile file = pool.addPart(made, Point.CATALOGUE, bytes);
    disk.delete(made);
    return file;
  }
}
