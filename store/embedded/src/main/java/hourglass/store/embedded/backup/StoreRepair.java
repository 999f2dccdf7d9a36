package hourglass.store.embedded.backup;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.CorruptException;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.DirectoryLock;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.FileProblem;
import hourglass.store.embedded.disk.Finding;
import hourglass.store.embedded.disk.OwnedDisk;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.FileRange;
import hourglass.store.embedded.files.FileUse;
import hourglass.store.embedded.files.HourPages;
import hourglass.store.embedded.files.LostPage;
import hourglass.store.embedded.files.PageCommit;
import hourglass.store.embedded.files.PageFileCheck;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.PageMeta;
import hourglass.store.embedded.files.SectionCopy;
import hourglass.store.embedded.files.StoreCatalogue;
import hourglass.store.embedded.memory.LoadedHour;
import hourglass.store.embedded.memory.Row;
import hourglass.store.embedded.memory.RowRoom;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Takes damaged pages out of use, in a data directory that no process has open. The good pages of a
 * damaged file are copied to a new one, the bytes of its damaged pages to files aside, and the
 * catalogue records what answers lack from then on. The damaged file is deleted last; no page file
 * is written to in place. Stopped at any operation, it leaves a directory that the next repair goes
 * on with. Not thread-safe; use it once.
 */
public final class StoreRepair {
  private final StoreFiles files;
  private final Disk disk;
  private final Consumer<Finding> sink;
  private int repaired;
  private long events;

  private StoreRepair(StoreFiles files, Disk disk, Consumer<Finding> sink) {
    this.files = files;
    this.disk = disk;
    this.sink = sink;
  }

  /**
   * The outcome of a repair.
   *
   * @param files the number of page files that were written anew
   * @param events the number of events that answers lack since
   */
  public record Result(int files, long events) {}

  /**
   * Repairs a directory. Files whose directories are damaged, those of which the disk does not
   * return all bytes, and those of hours that miss a file, stay as they are.
   *
   * @param sink accepts the pages that were taken out of use, and the files that cannot be read
   * @throws UnavailableException if a process has it open, or a file cannot be read or written
   * @throws CorruptException if it is no data directory, or its catalogue is damaged
   */
  public static Result run(Path dir, Disk disk, Consumer<Finding> sink) {
    StoreFiles files = new StoreFiles(dir);
    try {
      StoreCheck.requireStore(files);
      try (DirectoryLock lock = DirectoryLock.take(files)) {
        return new StoreRepair(files, new OwnedDisk(disk, lock.watch()), sink).run();
      }
    } catch (IOException e) {
      throw new UnavailableException(dir + ": cannot be repaired: " + FileProblem.of(e), e);
    }
  }

  private Result run() throws IOException {
    StoreCatalogue catalogue = StoreCatalogue.load(disk, files);
    try (PageFiles pages = new PageFiles(disk, files, catalogue)) {
      Set<Hour> incomplete = new HashSet<>();
      for (FileUse file : catalogue.files()) {
        if (!isThere(file)) {
          file.inUse().forEach(of -> incomplete.add(of.hour()));
        }
      }
      PageFileCheck check = PageFileCheck.of(pages, catalogue.content().files(), each -> {});
      for (FileUse file : catalogue.files()) {
        boolean isAlone = file.inUse().stream().noneMatch(of -> incomplete.contains(of.hour()));
        if (isAlone && isThere(file)) {
          repair(pages, file, check.check(file.number()));
        }
      }
      pages.deleteUnused();
      if (incomplete.isEmpty()) { // otherwise the catalogue may be older than an earlier repair
        pages.aside().deleteUnused();
      }
    }
    return new Result(repaired, events);
  }

  private void repair(PageFiles pages, FileUse file, PageFileCheck.Result damage)
      throws IOException {
    if (damage.isUnread()) {
      sink.accept(
          new Finding(
              pages.path(file.number())
                  + ": not repaired, as the disk does not return all of its bytes, which may be"
                  + " good; look at the disk, and repeat the repair there or on a copy",
              "nothing by the repair"));
    } else if (damage.hasDirectories()) {
      endLosses(pages, file, damage.entries());
      if (damage.findings() > 0) {
        tryRewriting(pages, file, damage.entries());
      }
    }
  }

  /**
   * Ends the losses of good pages that are in use in a file: a repair was stopped after it recorded
   * them, and then the file was restored.
   */
  private static void endLosses(PageFiles pages, FileUse file, Set<Long> damaged)
      throws IOException {
    for (ClassHour of : file.inUse()) {
      List<LostPage> lost = pages.lost(of);
      if (!lost.isEmpty()) {
        Set<Long> good = goodPages(pages, of, file.number(), damaged);
        pages
            .catalogue()
            .lossesEnded(lost.stream().filter(page -> good.contains(page.page())).toList());
      }
    }
  }

  private static Set<Long> goodPages(PageFiles pages, ClassHour of, long file, Set<Long> damaged) {
    HourPages hour = new HourPages(pages, of);
    try {
      hour.load(Set.of(), (row, manifest) -> {});
    } catch (CorruptException e) {
      return Set.of(); // another file of the hour is damaged
    }
    return hour.pages().stream()
        .filter(page -> page.file() == file && !damaged.contains(page.number()))
        .map(PageMeta::number)
        .collect(Collectors.toSet());
  }

  private boolean isThere(FileUse file) {
    return FileKind.FOLDER.isAt(files.pages()) && FileKind.FILE.isAt(files.pages(file.number()));
  }

  private void tryRewriting(PageFiles pages, FileUse file, Set<Long> damaged) throws IOException {
    List<Finding> findings = new ArrayList<>();
    List<LostPage> lost = new ArrayList<>();
    try (PageCommit commit = pages.beginCommit()) {
      for (ClassHour of : file.inUse()) {
        rewrite(pages, of, file.number(), damaged, commit, lost, findings);
      }
      pages.catalogue().lost(lost); // first, so that no answer ever lacks them without saying so
      commit.commit();
    } catch (CorruptException e) {
      return; // a file of the hour cannot be read or repaired, and the next check names it
    }
    repaired++;
    lost.forEach(page -> events += page.count());
    findings.forEach(sink);
  }

  private void rewrite(
      PageFiles pages,
      ClassHour of,
      long file,
      Set<Long> damaged,
      PageCommit commit,
      List<LostPage> lost,
      List<Finding> findings)
      throws IOException {
    LoadedHour state = new LoadedHour(of.hour(), new RowRoom(Long.MAX_VALUE).entries());
    for (String each : pages.catalogue().classes(of.hour())) {
      state.add(new HourPages(pages, new ClassHour(each, of.hour())), Set.of());
    }
    HourPages hour = state.pages(of.retentionClass());
    if (hour == null) {
      return;
    }
    Set<RowKey> lacking = new HashSet<>();
    for (PageMeta page : hour.pages()) {
      if (page.file() == file && damaged.contains(page.number())) {
        lacking.add(page.row());
        LostPage gone = LostPage.of(of, page);
        lost.add(gone);
        findings.add(new Finding(setAside(pages, hour, page), gone.describe()));
      }
    }
    SectionCopy.of(
            hour,
            FileRange.closed(file, file),
            (row, made) -> {
              Row now = state.rowIfPresent(row);
              return now != null && !lacking.contains(row) && now.content().hasManifestOf(made);
            })
        .without(damaged)
        .writeTo(commit);
  }

  private String setAside(PageFiles pages, HourPages hour, PageMeta page) throws IOException {
    String place = "%s: %s: damaged".formatted(pages.path(page.file()), page.describe());
    byte[] bytes = hour.rawBytes(page);
    if (bytes == null) {
      return place + ", and cut off; taken out of use";
    }
    return place
        + "; taken out of use, its bytes are in "
        + pages.aside().put(page.number(), bytes);
  }
}
