package hourglass.store.embedded.backup;

import hourglass.bucketing.Hour;
import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.DirectoryLock;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.Finding;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.StoreVersion;
import hourglass.store.embedded.disk.UnchangedDisk;
import hourglass.store.embedded.erasure.ErasureCheck;
import hourglass.store.embedded.files.FileUse;
import hourglass.store.embedded.files.PageFileCheck;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.StoreCatalogue;
import hourglass.store.embedded.firsttimes.FirstTimeCheck;
import hourglass.store.embedded.late.LateArrivalCheck;
import hourglass.store.embedded.log.LogCheck;
import hourglass.store.embedded.memory.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads every byte of a data directory that no process has open, and reports each damaged place.
 * Changes nothing but LOCK. Not thread-safe; use it once.
 */
public final class StoreCheck {
  private static final String NO_EVENT = "no event is known to be lost";

  private final StoreFiles files;
  private final Consumer<Finding> sink;

  /** The findings so far, since a dry start finds some of the same. */
  private final Set<String> found = new HashSet<>();

  private long events;
  private long lost;

  private StoreCheck(Path dir, Consumer<Finding> sink) {
    this.files = new StoreFiles(dir);
    this.sink = sink;
  }

  /**
   * The outcome of a check.
   *
   * @param damages the number of findings
   * @param events the number of columns in pages that were read whole
   * @param lost the number of columns that earlier repairs took out of use
   */
  public record Result(int damages, long events, long lost) {}

  /**
   * Checks a directory.
   *
   * @throws UnavailableException if a process has it open, or a file cannot be read
   * @throws CorruptException if it is no data directory
   */
  public static Result run(Path dir, Consumer<Finding> sink) {
    StoreFiles files = new StoreFiles(dir);
    try {
      requireStore(files);
      try (DirectoryLock lock = DirectoryLock.take(files)) {
        StoreCheck check = new StoreCheck(dir, sink);
        check.run();
        return new Result(check.found.size(), check.events, check.lost);
      }
    } catch (IOException e) {
      throw new UnavailableException(dir + ": cannot be read: " + e, e);
    }
  }

  static void requireStore(StoreFiles files) throws IOException {
    if (!FileKind.FOLDER.isAt(files.dir()) || StoreVersion.of(files) == StoreVersion.NONE) {
      throw new CorruptException(
          files.dir() + ": no data directory, it has no VERSION; name the folder of a store");
    }
  }

  private void run() throws IOException {
    StoreCatalogue loaded = catalogue();
    StoreCatalogue catalogue =
        loaded == null ? new StoreCatalogue(new UnchangedDisk(), files) : loaded;
    catalogue.content().lost().forEach(page -> lost += page.count());
    Set<Long> missing = missing(catalogue);
    try (PageFiles pages = new PageFiles(new UnchangedDisk(), files, catalogue)) {
      PageFileCheck check = PageFileCheck.of(pages, catalogue.content().files(), this::add);
      for (long number : PageFiles.numbers(files)) {
        check.check(number);
      }
      if (found.isEmpty()) { // a row with a damaged page would only be reported twice
        readRows(pages, catalogue, missing);
      }
    }
    new LogCheck(files, this::add).run(catalogue.log().segment());
    new LateArrivalCheck(files, this::add).run();
    new FirstTimeCheck(files, this::add).run();
    new ErasureCheck(files, this::add).run();
    if (loaded != null && missing.isEmpty()) { // whatever a start refuses besides
      DryStart.run(files, catalogue, damage -> add(new Finding(damage, NO_EVENT)));
    }
    findStrangers();
  }

  private void add(Finding finding) {
    if (found.add(finding.damage())) {
      sink.accept(finding);
    }
  }

  /** Loads the catalogue; null if it is damaged. */
  private @Nullable StoreCatalogue catalogue() throws IOException {
    try {
      return StoreCatalogue.load(new UnchangedDisk(), files);
    } catch (CorruptException e) {
      add(
          new Finding(
              String.valueOf(e.getMessage()),
              "which page files are missing, and which hours were deleted"));
      return null;
    }
  }

  /** Reports listed page files that are not there. */
  private Set<Long> missing(StoreCatalogue catalogue) {
    Set<Long> missing = new HashSet<>();
    for (FileUse file : catalogue.files()) {
      Path path = files.pages(file.number());
      if (!FileKind.FOLDER.isAt(files.pages()) || !FileKind.FILE.isAt(path)) {
        missing.add(file.number());
        add(
            new Finding(
                "%s: missing, and %s lists it; restore the file from a backup"
                    .formatted(path, files.catalogue()),
                "all events in it of " + file.inUse()));
      }
    }
    return missing;
  }

  private void readRows(PageFiles pages, StoreCatalogue catalogue, Set<Long> missing)
      throws IOException {
    StoredRows rows = new StoredRows(pages);
    Set<Hour> hours = new TreeSet<>();
    catalogue.hours().forEach(of -> hours.add(of.hour()));
    for (Hour hour : hours) {
      rows.read(
          hour,
          catalogue.classes(hour),
          missing,
          new StoredRows.Sink() {
            @Override
            public void whole(RowProof row) {
              events += row.columns();
            }

            @Override
            public void damaged(Row row, CorruptException why) {
              add(new Finding(String.valueOf(why.getMessage()), "events of " + row.key()));
            }
          });
    }
  }

  /** Reports files that belong to no store, of which nobody can say whether they are whole. */
  private void findStrangers() throws IOException {
    for (Path stranger : files.strangers()) {
      add(new Finding(stranger + ": no file of the store; move it away", Finding.NOTHING));
    }
  }
}
