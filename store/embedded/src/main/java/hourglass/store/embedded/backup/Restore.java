package hourglass.store.embedded.backup;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.backup.RowsReader.HourRows;
import hourglass.store.embedded.disk.DirectoryLock;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.FileProblem;
import hourglass.store.embedded.disk.Finding;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.StoreVersion;
import hourglass.store.embedded.files.CatalogueContent;
import hourglass.store.embedded.files.PageFileRecord;
import hourglass.store.embedded.files.PageSnapshot;
import hourglass.store.embedded.memory.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes a data directory from a point of a backup, and compares every row in it with the digest
 * that the point has. The version is written last, so a directory that was not finished is refused
 * by a start. Not thread-safe; use it once.
 */
public final class Restore {
  private final BackupFiles backup;
  private final Options options;
  private final StoreFiles data;
  private final Disk disk;
  private final Consumer<Finding> sink;
  private final FileCopy copy = new FileCopy();

  /** The page files that could not be restored. */
  private final Set<Long> missing = new HashSet<>();

  private int findings;
  private long rows;
  private long events;

  private Restore(Options options, Disk disk, Consumer<Finding> sink) {
    this.backup = new BackupFiles(options.from());
    this.options = options;
    this.data = new StoreFiles(options.data());
    this.disk = disk;
    this.sink = sink;
  }

  /**
   * Says what is restored, and where.
   *
   * @param point null for the newest
   * @param firstHour the first hour that is restored; null for all before
   * @param lastHour the last hour that is restored; null for all after
   * @param data an empty folder, or none
   */
  public record Options(
      Path from,
      @Nullable String point,
      @Nullable Hour firstHour,
      @Nullable Hour lastHour,
      Path data) {
    boolean hasAllHours() {
      return firstHour == null && lastHour == null;
    }

    boolean includes(Hour hour) {
      return (firstHour == null || hour.compareTo(firstHour) >= 0)
          && (lastHour == null || hour.compareTo(lastHour) <= 0);
    }
  }

  /**
   * The outcome of a restore.
   *
   * @param point the id of the point
   * @param rows the rows that are there, and have the digest of the point
   * @param events their columns
   * @param damages the number of findings; if it is 0, all that the point has is there
   * @param losses the pages that repairs took out of use before the point was made. They are no
   *     damage of the backup, and answers of the restored store name them
   */
  public record Result(String point, long rows, long events, int damages, Losses losses) {}

  /**
   * Restores a point. Files that are damaged in the backup are restored as they are, and those that
   * are missing are left out: both are reported, with what is lost.
   *
   * @throws CorruptException if there is no such backup or point, its list is damaged, or the data
   *     directory is not empty
   * @throws UnavailableException if a file cannot be read or written, or a process has the folder
   *     open
   */
  public static Result run(Options options, Disk disk, Consumer<Finding> sink) {
    try {
      return new Restore(options, disk, sink).run();
    } catch (IOException e) {
      throw new UnavailableException(
          "%s: cannot be restored to %s: %s; delete that folder before the next attempt"
              .formatted(options.from(), options.data(), FileProblem.of(e)),
          e);
    }
  }

  private Result run() throws IOException {
    backup.requireBackup();
    refuseContent();
    if (!Files.isWritable(backup.dir())) { // nobody can prune it either
      return restore();
    }
    try (BackupLock lock = BackupLock.take(backup)) {
      return restore();
    }
  }

  private void refuseContent() throws IOException {
    if (FileKind.FOLDER.isAt(data.dir())) {
      List<String> found = new ArrayList<>(BackupFiles.names(data.dir(), ""));
      found.remove(data.lock().getFileName().toString());
      if (!found.isEmpty()) {
        throw new CorruptException(
            "%s: not empty, it holds %s; restore into a folder that is empty or not there"
                .formatted(data.dir(), found.get(0)));
      }
    }
  }

  private Result restore() throws IOException {
    String id = id();
    Point point = PointReader.read(backup, id);
    CatalogueContent catalogue = catalogue(point);
    if (!FileKind.FOLDER.isAt(data.dir())) {
      disk.createDirectories(data.dir());
    }
    try (DirectoryLock lock = DirectoryLock.take(data)) {
      refuseContent(); // others may have filled it meanwhile
      restore(point, catalogue);
    }
    return new Result(id, rows, events, findings, Losses.of(catalogue.lost()));
  }

  private void restore(Point point, CatalogueContent catalogue) throws IOException {
    for (Path folder :
        List.of(
            data.pages(), data.log(), data.lateArrivals(), data.firstTimes(), data.erasures())) {
      disk.createDirectories(folder);
    }
    copyFiles(point, catalogue);
    new NewStore(data, disk).write(point, catalogue);
    compareRows(point, catalogue);
    StoreVersion.write(disk, data);
  }

  private String id() throws IOException {
    String named = options.point();
    if (named != null) {
      return named;
    }
    List<String> ids = backup.ids();
    if (ids.isEmpty()) {
      throw new CorruptException(
          backup.dir() + ": there is no point; the first backup was not finished");
    }
    return ids.get(ids.size() - 1);
  }

  /** Reads the catalogue of the point, without the hours that are not restored. */
  private CatalogueContent catalogue(Point point) throws IOException {
    PointFile listed = point.catalogue();
    Path pooled = backup.pooled(String.valueOf(listed.pooled()));
    if (!FileKind.FILE.isAt(pooled)
        || !copy.digest(pooled, Files.size(pooled), read -> {}).equals(listed.sha256())) {
      throw new CorruptException(
          "%s: missing or damaged, and point %s needs it to find its events; restore another point: %s"
              .formatted(pooled, point.id(), String.join(", ", backup.ids())));
    }
    CatalogueContent all = CatalogueContent.read(pooled);
    return options.hasAllHours()
        ? all
        : all.onlyOf(options::includes, Hour.of(point.time()).epochHours());
  }

  private void copyFiles(Point point, CatalogueContent catalogue) throws IOException {
    Map<Long, PageFileRecord> listed = new HashMap<>();
    catalogue.files().forEach(file -> listed.put(file.number(), file));
    for (PointFile file : point.files()) {
      PageFileRecord pages = file.isPages() ? listed.get(file.number()) : null;
      boolean isNeeded = file.isPages() ? pages != null : !file.path().equals(Point.CATALOGUE);
      if (isNeeded) {
        copyFile(file, pages);
      }
    }
  }

  private void copyFile(PointFile file, @Nullable PageFileRecord pages) throws IOException {
    String lost =
        pages == null
            ? "no event, but when some of them arrived, or which of them are erased"
            : "events in it of " + pages.sections().stream().map(each -> each.of()).toList();
    if (file.pooled() == null) {
      lose(
          file,
          new Finding(
              "%s: the store itself missed it when the point was made; restore another point"
                  .formatted(data.dir().resolve(file.path())),
              lost));
      return;
    }
    Path from = backup.pooled(file.pooled());
    Path to = data.dir().resolve(file.path());
    if (!FileKind.FILE.isAt(from) || Files.size(from) != file.bytes()) {
      lose(
          file,
          new Finding(
              from + ": missing or of another length in the backup; restore another point", lost));
      return;
    }
    String sha256 = copy.copy(from, file.bytes(), disk, to, read -> {});
    if (!sha256.equals(file.sha256())) {
      add(
          new Finding(
              from + ": damaged in the backup, and restored as it is; restore another point",
              pages == null ? lost : "some " + lost));
    }
  }

  private void lose(PointFile file, Finding finding) {
    if (file.isPages()) {
      missing.add(file.number());
    }
    add(finding);
  }

  private void add(Finding finding) {
    findings++;
    sink.accept(finding);
  }

  private void compareRows(Point point, CatalogueContent catalogue) throws IOException {
    try (PageSnapshot pages = PageSnapshot.of(catalogue, data::pages)) {
      StoredRows stored = new StoredRows(pages);
      for (Point.Day day : point.days()) {
        if (day.hours().stream().anyMatch(each -> options.includes(each.hour()))) {
          compareRows(day, stored, pages);
        }
      }
    }
  }

  private void compareRows(Point.Day day, StoredRows stored, PageSnapshot pages)
      throws IOException {
    try (RowsReader reader = RowsReader.open(backup, day)) {
      for (HourRows hour = reader.nextHour(); hour != null; hour = reader.nextHour()) {
        if (options.includes(hour.hour())) {
          compare(hour, stored, pages);
        }
      }
    } catch (CorruptException e) {
      add(
          new Finding(
              String.valueOf(e.getMessage()),
              "no event that is known, but the digests of the rows of " + day.date()));
    }
  }

  private void compare(HourRows hour, StoredRows stored, PageSnapshot pages) throws IOException {
    Map<RowKey, RowProof> expected = new HashMap<>();
    hour.rows().forEach(row -> expected.put(row.row(), row));
    for (String damaged : hour.damaged()) {
      add(
          new Finding(
              damaged + ": damaged in the store when the point was made; restore an earlier point",
              "events of it"));
    }
    try {
      stored.read(
          hour.hour(),
          pages.classes(hour.hour()),
          missing,
          new StoredRows.Sink() {
            @Override
            public void whole(RowProof row) {
              if (row.equals(expected.get(row.row()))) {
                expected.remove(row.row());
                rows++;
                events += row.columns();
              }
            }

            @Override
            public void damaged(Row row, CorruptException why) {
              // Like a row that is missing, it stays expected.
            }
          });
    } catch (CorruptException e) {
      add(new Finding(String.valueOf(e.getMessage()), "events of " + hour.hour()));
    }
    expected.values().stream()
        .sorted(Comparator.comparing(RowProof::row))
        .forEach(
            row ->
                add(
                    new Finding(
                        row.row() + ": not as in the point; restore another point",
                        "some of its %s events".formatted(row.columns()))));
  }
}
