package hourglass.store.embedded.files;

import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.StoreFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The bytes of damaged pages that a repair took out of page files, a file each, for those who try
 * to rescue events. They are deleted with their hour. Not thread-safe.
 */
public final class PagesAside {
  private final Disk disk;
  private final StoreFiles files;
  private final StoreCatalogue catalogue;

  PagesAside(Disk disk, StoreFiles files, StoreCatalogue catalogue) {
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

  /** Deletes the pages of hours that were deleted. */
  public void deleteUnused() throws IOException {
    if (!Files.exists(files.aside())) {
      return;
    }
    Set<Long> lost =
        catalogue.content().lost().stream().map(LostPage::page).collect(Collectors.toSet());
    boolean any = false;
    for (long page : StoreFiles.numbers(files.aside(), StoreFiles.ASIDE_SUFFIX)) {
      if (!lost.contains(page)) {
        disk.delete(files.asidePage(page));
        any = true;
      }
    }
    if (any) {
      disk.forceDirectory(files.aside());
    }
  }
}
