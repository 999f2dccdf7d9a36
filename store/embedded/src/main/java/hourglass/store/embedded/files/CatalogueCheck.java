package hourglass.store.embedded.files;

import hourglass.store.CorruptException;
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
 * Compares the hour folders with the catalogue at start. An inventory is read only if it is newer
 * than its entry, as after a crash.
 */
public final class CatalogueCheck {
  private static final Logger logger = LoggerFactory.getLogger(CatalogueCheck.class);

  private static final ByteBuffer NOT_WRITTEN = ByteBuffer.allocate(0);

  private final Disk disk;
  private final StoreFiles files;
  private final StoreCatalogue catalogue;
  private final MissingParts missing;

  /** The newest log group of the checked pages, and the inventory that lists it. */
  private long newestGroup;

  private @Nullable Path newestAt;

  public CatalogueCheck(
      Disk disk, StoreFiles files, StoreCatalogue catalogue, MissingParts missing) {
    this.disk = disk;
    this.files = files;
    this.catalogue = catalogue;
    this.missing = missing;
  }

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
        missing.add(listed, MissingParts.ALL, relative(folder));
        return;
      }
    }
    Path inventory = StoreFiles.inventory(dir);
    long bytes = FileKind.FILE.isAt(inventory) ? Files.size(inventory) : 0;
    if (bytes < listed.bytes()) {
      missing.add(listed, MissingParts.ALL, relative(inventory));
    } else if (bytes > listed.bytes()) {
      checkNewer(listed);
    } else {
      checkGenerations(listed, dir);
    }
  }

  private void checkNewer(HourFiles listed) throws IOException {
    Path dir = files.hour(listed.retentionClass(), listed.hour());
    PageFiles pages = new PageFiles(disk, dir, listed.hour(), NOT_WRITTEN, catalogue, Set.of());
    HourFiles now;
    try {
      pages.load((row, manifest) -> {});
      now = pages.hourFiles();
    } catch (CorruptException | IOException e) {
      // Reads of this hour will fail with the same error.
      logger.warn("{}: cannot be read, and neither can its hour: {}", dir, e.toString());
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

  /** Forces an inventory, since a power cut could still lose writes of a killed process. */
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
        missing.add(listed, generation, relative(map));
      }
    }
  }

  private String relative(Path path) {
    return files.dir().relativize(path).toString();
  }

  /**
   * Refuses a log that ends before the groups of the pages: it would assign their numbers again.
   */
  public void refuseOlderLog(long nextGroup) {
    if (newestAt != null && newestGroup >= nextGroup) {
      throw new CorruptException(
          "%s: lists pages of group %s, and the log ends before group %s: they are not of one moment,"
                  .formatted(newestAt, newestGroup, nextGroup)
              + " as in a copy that was made while a process wrote; restore all of one moment");
    }
  }
}
