package hourglass.store.embedded;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TypeHour;
import hourglass.store.embedded.backup.BackupState;
import hourglass.store.embedded.backup.Backups;
import hourglass.store.embedded.backup.PointNames;
import hourglass.store.embedded.backup.PointsBefore;
import hourglass.store.embedded.disk.SpaceGuard;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.erasure.StoredErasures;
import hourglass.store.embedded.erasure.StoredErasures.Known;
import hourglass.store.embedded.files.ClassHour;
import hourglass.store.embedded.files.FileUse;
import hourglass.store.embedded.files.LostPage;
import hourglass.store.embedded.files.SectionInFile;
import hourglass.store.embedded.files.StoreCatalogue;
import hourglass.store.erasure.ErasedColumns;
import hourglass.store.erasure.Erasure;
import hourglass.store.erasure.ErasureJournal;
import hourglass.store.erasure.ErasureStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * The erasures of a store. They are noted and removed on the pages thread; the folders of backups
 * are read on a thread of their own, since their disks may not answer. Thread-safe.
 *
 * @param backupDirs the folders below which backups are sought that were made before an erasure
 * @param pointNames used by the thread of {@code lookups} alone
 * @param lookups reads folders
 */
record Erasures(
    StoreFiles files,
    StoredErasures stored,
    StoreCatalogue catalogue,
    SpaceGuard space,
    Maintenance maintenance,
    Backups backups,
    List<Path> backupDirs,
    PointNames pointNames,
    Readers lookups)
    implements ErasureJournal {

  @Override
  public CompletionStage<ErasedColumns> current() {
    return CompletableFuture.completedFuture(stored.current());
  }

  @Override
  public CompletionStage<Void> begin(Erasure erasure) {
    return maintenance.run(() -> stored.begin(erasure, space));
  }

  @Override
  public CompletionStage<Void> rewrite(TimeUuid id) {
    return maintenance.run(
        () -> {
          stored.rewrite(id);
          maintenance.eraseSoon();
        });
  }

  @Override
  public CompletionStage<List<ErasureStatus>> all() {
    return lookups.submit(
        () -> {
          List<Known> all = stored.all();
          if (all.isEmpty()) {
            return List.of();
          }
          PointsBefore points = points();
          List<String> aside = keptAside();
          return all.stream()
              .map(
                  erasure ->
                      new ErasureStatus(
                          erasure.id(),
                          erasure.state(),
                          erasure.columns(),
                          erasure.failure(),
                          holds(erasure, points, aside)))
              .toList();
        });
  }

  private PointsBefore points() {
    Set<Path> folders = new HashSet<>(backupDirs);
    BackupState last = backups.last();
    if (last != null) {
      folders.add(last.to());
    }
    return PointsBefore.in(folders, pointNames);
  }

  private List<String> holds(Known erasure, PointsBefore points, List<String> aside) {
    List<String> holds = new ArrayList<>(points.until(erasure.doneAt()));
    Set<Hour> hours = erasure.typeHours().stream().map(of -> of.hour()).collect(Collectors.toSet());
    for (LostPage page : catalogue.content().lost()) {
      if (hours.contains(page.of().hour()) && erasure.typeHours().contains(page.row().typeHour())) {
        holds.add(files.asidePage(page.page()) + ", a damaged page of " + page.row());
      }
    }
    holds.addAll(aside);
    return holds;
  }

  /** Returns what keeps pages of which nobody knows whether they have erased columns. */
  private List<String> keptAside() {
    List<String> holds = new ArrayList<>();
    try {
      for (long page : StoreFiles.numbers(files.aside(), StoreFiles.KEPT_ASIDE_SUFFIX)) {
        holds.add(files.keptAsidePage(page) + ", a damaged page of unknown rows");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (Files.exists(files.keptPages())) {
      holds.add(files.keptPages() + " says that page files stay which the catalogue does not list");
    }
    return holds;
  }

  /** A query may keep all former files until new pages, and copies of all files, are there. */
  @Override
  public CompletionStage<Long> spaceNeeded(Collection<TypeHour> typeHours) {
    Set<Hour> hours = typeHours.stream().map(TypeHour::hour).collect(Collectors.toSet());
    return lookups.readHere(() -> spaceNeeded(hours)); // it must not wait for a folder
  }

  private long spaceNeeded(Set<Hour> hours) {
    Set<Long> replaced = new HashSet<>();
    hours.forEach(hour -> replaced.addAll(catalogue.filesWithReplaced(hour)));
    long copies =
        catalogue.files().stream()
            .filter(file -> replaced.contains(file.number()) || isOf(file, hours))
            .mapToLong(FileUse::liveBytes)
            .sum();
    long pages =
        hours.stream()
            .flatMap(hour -> catalogue.classes(hour).stream().map(of -> new ClassHour(of, hour)))
            .flatMap(of -> catalogue.sections(of).stream())
            .mapToLong(SectionInFile::liveBytes)
            .sum();
    return pages + copies;
  }

  private static boolean isOf(FileUse file, Set<Hour> hours) {
    return file.goneBytes() > 0 || file.inUse().stream().anyMatch(of -> hours.contains(of.hour()));
  }
}
