package hourglass.store.embedded.pages;

import hourglass.bucketing.RowKey;
import hourglass.store.CorruptException;
import hourglass.store.Manifest;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.StoreFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the folders of hours with the catalogue, at start. Inventories are read only where they
 * are newer than it says, as a crash leaves them.
 */
public final class CatalogueCheck {
  private static final Logger log = LoggerFactory.getLogger(CatalogueCheck.class);

  private static final ByteBuffer NOT_WRITTEN = ByteBuffer.allocate(0);

  private static final InventoryRecord.Sink NOTHING =
      new InventoryRecord.Sink() {
        @Override
        public void added(PageMeta page) {}

        @Override
        public void removed(long page) {}

        @Override
        public void sealed(RowKey row, Manifest manifest) {}
      };

  private final Disk disk;
  private final StoreFiles files;
  private final StoreCatalogue catalogue;
  private final MissingParts missing;

  /** The newest group of the log among the pages that were looked at, and where it is. */
  private long newestGroup;

  private @Nullable Path newestAt;

  public CatalogueCheck(
      Disk disk, StoreFiles files, StoreCatalogue catalogue, MissingParts missing) {
    this.disk = disk;
    this.files = files;
    this.catalogue = catalogue;
    this.missing = missing;
  }

  /** Finds what is missing, and lists what is there and not in the catalogue yet. */
  public void run() throws IOException {
    Set<String> listed = new HashSet<>();
    for (HourFiles hourFiles : catalogue.hours()) {
      listed.add(hourFiles.key());
      check(hourFiles);
    }
    for (Path retentionClass : HourFolders.classes(files)) {
      for (Path dir : HourFolders.hours(retentionClass)) {
        String name = retentionClass.getFileName().toString();
        if (!HourFolders.isDropped(dir)
            && !listed.contains(HourFiles.key(name, HourFolders.hour(dir)))) {
          checkNewer(new HourFiles(name, HourFolders.hour(dir), 0, 0, Set.of()));
        }
      }
    }
  }

  private void check(HourFiles listed) throws IOException {
    Path dir = files.hour(listed.retentionClass(), listed.hour());
    for (Path folder : List.of(files.hours(), files.hours(listed.retentionClass()), dir)) {
      if (!FileKind.FOLDER.isAt(folder)) {
        missing.folder(listed, relative(folder));
        return;
      }
    }
    Path inventory = StoreFiles.inventory(dir);
    long bytes = FileKind.FILE.isAt(inventory) ? Files.size(inventory) : 0;
    if (bytes < listed.bytes()) {
      missing.folder(listed, relative(inventory));
    } else if (bytes > listed.bytes()) {
      checkNewer(listed);
    } else {
      checkGenerations(listed, dir);
    }
  }

  /** An inventory that a crash has left newer than the catalogue; it knows better. */
  private void checkNewer(HourFiles listed) throws IOException {
    Path dir = files.hour(listed.retentionClass(), listed.hour());
    PageFiles pages = new PageFiles(disk, dir, listed.hour(), NOT_WRITTEN, catalogue, Set.of());
    HourFiles now;
    try {
      pages.load(NOTHING);
      now = pages.hourFiles();
    } catch (CorruptException | IOException e) {
      // Asked for this hour, the store says so; the others need not suffer.
      log.warn("{}: cannot be read, and neither can its hour: {}", dir, e.toString());
      return;
    }
    for (PageMeta page : pages.pages()) {
      if (page.group() > newestGroup) {
        newestGroup = page.group();
        newestAt = StoreFiles.inventory(dir);
      }
    }
    if (now.groups() > 0) {
      force(StoreFiles.inventory(dir));
      checkGenerations(now, dir);
      catalogue.listed(now);
    }
  }

  /** What a killed process wrote, and did not force, is there; the power could still take it. */
  private void force(Path inventory) throws IOException {
    try (Disk.AppendFile file = disk.append(inventory)) {
      file.force();
    }
    disk.forceDirectory(inventory.resolveSibling(""));
  }

  private void checkGenerations(HourFiles listed, Path dir) {
    for (int generation : listed.generations()) {
      Path map = StoreFiles.pages(dir, generation);
      if (!FileKind.FILE.isAt(map)) {
        missing.generation(listed, generation, relative(map));
      }
    }
  }

  private String relative(Path path) {
    return files.dir().relativize(path).toString();
  }

  /**
   * Refuses pages that are newer than the log, whose groups would be numbered again.
   *
   * @param nextGroup of the log
   */
  public void refuseOlderLog(long nextGroup) {
    if (newestAt != null && newestGroup >= nextGroup) {
      throw new CorruptException(
          newestAt
              + ": lists pages of group "
              + newestGroup
              + ", and the log ends before group "
              + nextGroup
              + ": they are not of one moment, as in a copy that was made while a process wrote;"
              + " restore all of one moment");
    }
  }
}
