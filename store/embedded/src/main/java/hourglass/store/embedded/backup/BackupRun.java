package hourglass.store.embedded.backup;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Identity;
import hourglass.store.CorruptException;
import hourglass.store.embedded.backup.BackupState.Phase;
import hourglass.store.embedded.backup.PointReader.HourRows;
import hourglass.store.embedded.backup.StorePoint.Part;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.files.CatalogueContent;
import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.PageFileRecord;
import hourglass.store.embedded.files.PageSnapshot;
import hourglass.store.embedded.files.SectionInFile;
import hourglass.store.embedded.frames.FrameWriter;
import hourglass.store.embedded.memory.Row;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
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

  private static final int STATE_BYTES = 16;

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
    String before = lastReadable();
    List<PointFile> copied;
    Point.LogStart log;
    long settledTicks;
    CatalogueContent listed;
    try (StorePoint point = source.take()) {
      set(Phase.COPYING);
      copied = copy(point, before);
      log = new Point.LogStart(point.catalogue().log().segment(), point.nextGroup());
      settledTicks = point.settledTicks();
      listed = point.catalogue();
    }
    set(Phase.READING);
    Path pending = files.pending().resolve("point");
    Point.Totals totals =
        PointWriter.write(
            disk,
            pending,
            out -> {
              out.head(id, clock.instant(), log, settledTicks);
              out.files(copied);
              writeRows(out, listed, copied, before);
            });
    disk.move(pending, files.point(id));
    disk.forceDirectory(files.points());
    logger.info(
        "{}: point {}: {} rows with {} events, {} rows damaged",
        files.dir(),
        id,
        totals.rows(),
        totals.columns(),
        totals.damaged());
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
  private @Nullable String lastReadable() throws IOException {
    List<String> ids = files.ids();
    for (int i = ids.size() - 1; i >= 0; i--) {
      try (PointReader reader = PointReader.open(files, ids.get(i))) {
        return reader.point().id();
      } catch (CorruptException e) {
        logger.warn("{}", e.getMessage());
      }
    }
    return null;
  }

  private List<PointFile> copy(StorePoint point, @Nullable String before) throws IOException {
    Pool pool =
        new Pool(files, disk, progress.state().link(), room::check, this::copied, known(before));
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
    pool.force();
    return all;
  }

  private Map<String, String> known(@Nullable String before) throws IOException {
    Map<String, String> known = new HashMap<>();
    if (before != null) {
      try (PointReader reader = PointReader.open(files, before)) {
        for (PointFile file : reader.point().files()) {
          if (file.pooled() != null && file.sha256() != null) {
            known.put(file.pooled(), file.sha256());
          }
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

  private void writeRows(
      PointWriter out, CatalogueContent listed, List<PointFile> copied, @Nullable String before)
      throws IOException {
    Map<Long, PointFile> byNumber = new HashMap<>();
    copied.stream().filter(PointFile::isPages).forEach(each -> byNumber.put(each.number(), each));
    try (PageSnapshot snapshot = PageSnapshot.of(listed, number -> pooled(byNumber, number));
        PointReader old = before == null ? null : PointReader.open(files, before)) {
      StoredRows rows = new StoredRows(snapshot);
      Set<Hour> hours = new TreeSet<>();
      snapshot.hours().forEach(of -> hours.add(of.hour()));
      HourRows last = old == null ? null : old.nextHour();
      for (Hour hour : hours) {
        while (last != null && last.hour().compareTo(hour) < 0) {
          last = Objects.requireNonNull(old).nextHour();
        }
        String now = state(snapshot, hour, byNumber);
        out.hour(hour, now);
        if (last != null
            && last.hour().equals(hour)
            && last.state().equals(now)
            && last.damaged().isEmpty()) {
          for (RowProof row : last.rows()) {
            pace.copied(0);
            out.row(row);
          }
        } else {
          read(rows, snapshot, hour, byNumber, out);
        }
        Point.Totals totals = out.totals();
        progress.change(builder -> builder.rows(totals.rows()).damaged(totals.damaged()));
      }
    }
  }

  private Path pooled(Map<Long, PointFile> byNumber, long number) {
    PointFile file = byNumber.get(number);
    if (file == null || file.pooled() == null) {
      throw new CorruptException("page file " + number + " is missing in the store");
    }
    return files.pooled(file.pooled());
  }

  private void read(
      StoredRows rows,
      PageSnapshot snapshot,
      Hour hour,
      Map<Long, PointFile> byNumber,
      PointWriter out)
      throws IOException {
    Set<Long> missing = new TreeSet<>();
    byNumber.forEach(
        (number, file) -> {
          if (file.pooled() == null) {
            missing.add(number);
          }
        });
    try {
      rows.read(
          hour,
          snapshot.classes(hour),
          missing,
          new StoredRows.Sink() {
            @Override
            public void whole(RowProof row) throws IOException {
              pace.copied(0);
              out.row(row);
            }

            @Override
            public void damaged(Row row, CorruptException why) throws IOException {
              pace.copied(0);
              logger.warn(
                  "{} cannot be read, and is damaged in the point: {}",
                  row.key(),
                  why.getMessage());
              out.damaged(row.key());
            }
          });
    } catch (CorruptException e) {
      logger.warn("{} cannot be read, and is damaged in the point: {}", hour, e.getMessage());
      out.damagedHour(hour);
    }
  }

  /** Returns what distinguishes the pages of an hour from those of other points. */
  private static String state(PageSnapshot snapshot, Hour hour, Map<Long, PointFile> byNumber) {
    MessageDigest digest = Identity.newSha256();
    for (String each : snapshot.classes(hour)) {
      for (SectionInFile section : snapshot.sections(new ClassHour(each, hour))) {
        PointFile file = byNumber.get(section.file());
        String text =
            "%s %s %s %s %s\n"
                .formatted(
                    each,
                    file == null ? null : file.sha256(),
                    section.section().at(),
                    section.section().length(),
                    section.section().checksum());
        digest.update(text.getBytes(StandardCharsets.UTF_8));
      }
    }
    return HexFormat.of().formatHex(digest.digest(), 0, STATE_BYTES);
  }
}
