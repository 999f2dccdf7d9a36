package hourglass.store.embedded.files;

import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.StoreFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bytes of damaged pages that a repair took out of page files, a file each, for those who try
 * to rescue events. They are deleted with their hour or their type. Not thread-safe.
 */
public final class PagesAside {
  private static final Logger logger = LoggerFactory.getLogger(PagesAside.class);

  private final Disk disk;
  private final StoreFiles files;
  private final StoreCatalogue catalogue;

  public PagesAside(Disk disk, StoreFiles files, StoreCatalogue catalogue) {
    this.disk = disk;
    this.files = files;
    this.catalogue = catalogue;
  }

  /** Writes a file, which is durable on return. Returns its path. */
  public Path put(long page, byte[] bytes) throws IOException {
    Path path = files.asidePage(page);
    if (!FileKind.FOLDER.isAt(files.aside())) {
      disk.createDirectories(files.aside());
    }
    Path made = files.unfinishedAside();
    disk.delete(made); // left by a repair that was killed
    try (Disk.AppendFile file = disk.create(made)) {
      file.write(ByteBuffer.wrap(bytes));
      file.force();
    }
    disk.move(made, path);
    disk.forceDirectory(files.aside());
    return path;
  }

  /** Deletes the pages whose losses ended, as those of hours that were deleted. */
  public void deleteUnused() throws IOException {
    List<Long> unused = unused();
    for (long page : unused) {
      disk.delete(files.asidePage(page));
    }
    if (!unused.isEmpty()) {
      disk.forceDirectory(files.aside());
    }
  }

  /**
   * Gives the pages whose losses the catalogue does not name another name, by which nobody deletes
   * them. A catalogue that was made anew, or is older than the repair, does not know of losses that
   * have not ended, and these files have the only copy of their events.
   */
  public void keepUnknown() throws IOException {
    List<Long> unknown = unused();
    for (long page : unknown) {
      Path kept = files.keptAsidePage(page);
      disk.move(files.asidePage(page), kept);
      logger.warn(
          "{}: {} does not name its loss, but parts are missing, so the file stays until you remove"
              + " it; answers that lack its events do not say so any more",
          kept,
          files.catalogue());
    }
    if (!unknown.isEmpty()) {
      disk.forceDirectory(files.aside());
    }
  }

  /** Returns the pages whose losses the catalogue does not name. */
  private List<Long> unused() throws IOException {
    List<Long> pages = StoreFiles.numbers(files.aside(), StoreFiles.ASIDE_SUFFIX);
    if (pages.isEmpty()) {
      return pages;
    }
    Set<Long> lost =
        catalogue.content().lost().stream().map(LostPage::page).collect(Collectors.toSet());
    return pages.stream().filter(page -> !lost.contains(page)).toList();
  }
}
