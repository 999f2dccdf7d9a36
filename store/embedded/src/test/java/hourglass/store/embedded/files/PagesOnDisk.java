package hourglass.store.embedded.files;

import hourglass.bucketing.Hour;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.SystemDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** The page files of a directory, without the store around them. */
public final class PagesOnDisk {
  private PagesOnDisk() {}

  /** Opens the page files of a directory, which need not exist. */
  public static PageFiles open(Disk disk, Path dir) throws IOException {
    StoreFiles files = new StoreFiles(dir);
    disk.createDirectories(files.pages());
    if (Files.exists(files.catalogue())) {
      return new PageFiles(disk, files, StoreCatalogue.load(disk, files));
    }
    StoreCatalogue catalogue = new StoreCatalogue(disk, files);
    catalogue.writeNew();
    catalogue.install();
    return new PageFiles(disk, files, catalogue);
  }

  static PageFiles open(Path dir) throws IOException {
    return open(new SystemDisk(), dir);
  }

  /** Loads the pages of an hour, without those in missing files. */
  public static HourPages load(
      PageFiles files, String retentionClass, Hour hour, Set<Long> filesMissing) {
    HourPages pages = new HourPages(files, new ClassHour(retentionClass, hour));
    pages.load(filesMissing, (row, manifest) -> {});
    return pages;
  }

  static HourPages load(PageFiles files, Hour hour) {
    return load(files, StoreFiles.KEEP, hour, Set.of());
  }

  /** Removes pages in a commit of its own. */
  static void remove(PageFiles files, HourPages hour, Collection<PageMeta> pages)
      throws IOException {
    try (PageCommit commit = files.beginCommit()) {
      commit.section(hour).remove(List.copyOf(pages));
      commit.commit();
    }
  }
}
