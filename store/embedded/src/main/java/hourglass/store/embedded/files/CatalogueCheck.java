package hourglass.store.embedded.files;

import hourglass.store.CorruptException;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.StoreFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Compares the page files and the log with the catalogue at start. */
public final class CatalogueCheck {
  private final StoreFiles files;
  private final StoreCatalogue catalogue;
  private final MissingParts missing;

  public CatalogueCheck(StoreFiles files, StoreCatalogue catalogue, MissingParts missing) {
    this.files = files;
    this.catalogue = catalogue;
    this.missing = missing;
  }

  /** Records listed files that are missing, or have another length. */
  public void run() throws IOException {
    boolean hasFolder = FileKind.FOLDER.isAt(files.pages());
    for (FileUse listed : catalogue.files()) {
      Path path = files.pages(listed.number());
      boolean isThere = hasFolder && FileKind.FILE.isAt(path) && Files.size(path) == listed.bytes();
      if (!isThere) {
        Path lost = hasFolder ? path : files.pages();
        listed.inUse().forEach(of -> missing.add(of, listed.number(), relative(lost)));
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
    long newestGroup = catalogue.newestGroup();
    if (newestGroup >= nextGroup) {
      throw new CorruptException(
          "%s: lists pages of group %s, and the log ends before group %s: they are not of one moment,"
                  .formatted(files.catalogue(), newestGroup, nextGroup)
              + " as in a copy that was made while a process wrote; restore all of one moment");
    }
  }
}
