package hourglass.store.embedded;

import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.FileKind;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.StoreVersion;
import hourglass.store.embedded.files.CatalogueCheck;
import hourglass.store.embedded.files.MissingParts;
import hourglass.store.embedded.files.PageFileRecord;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.PagesAside;
import hourglass.store.embedded.files.StoreCatalogue;
import hourglass.store.embedded.log.LogRange;
import hourglass.store.embedded.log.LogReplay;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Opens the catalogue, and compares the data directory with it. */
record CatalogueOpening(StoreCatalogue catalogue, MissingParts missing, CatalogueCheck check) {
  static CatalogueOpening open(Disk disk, StoreFiles files, List<String> accepted)
      throws IOException {
    MissingParts missing = new MissingParts(accepted);
    StoreVersion version = StoreVersion.of(files);
    boolean hasOne = FileKind.FILE.isAt(files.catalogue());
    if (version != StoreVersion.NONE && !hasOne && isFirst(files)) {
      // A crash prevented this move. Later, such a file would be older than the lost one.
      disk.move(files.newCatalogue(), files.catalogue());
      disk.forceDirectory(files.dir());
      hasOne = true;
    }
    if (version != StoreVersion.NONE && (hasOne || !missing.accepts(StoreFiles.CATALOGUE))) {
      StoreCatalogue catalogue = StoreCatalogue.load(disk, files);
      CatalogueCheck check = new CatalogueCheck(files, catalogue, missing);
      check.run();
      missing.refuseUnaccepted(files);
      disk.createDirectories(files.pages());
      if (missing.count() > 0) {
        new PagesAside(disk, files, catalogue).keepUnknown();
      }
      disk.delete(files.newCatalogue()); // unfinished; must never count as newer
      return new CatalogueOpening(catalogue, missing, check);
    }
    return make(disk, files, missing, version);
  }

  /** Whether a catalogue was made in a directory that has nothing to list yet. */
  private static boolean isFirst(StoreFiles files) throws IOException {
    return FileKind.FILE.isAt(files.newCatalogue())
        && LogReplay.finished(files).isEmpty()
        && (!FileKind.FOLDER.isAt(files.pages()) || PageFiles.numbers(files).isEmpty());
  }

  private static CatalogueOpening make(
      Disk disk, StoreFiles files, MissingParts missing, StoreVersion version) throws IOException {
    if (version != StoreVersion.NONE) {
      missing.everywhere(StoreFiles.CATALOGUE);
    }
    disk.createDirectories(files.log());
    disk.createDirectories(files.pages());
    StoreCatalogue catalogue = new StoreCatalogue(disk, files);
    List<PageFileRecord> found = new ArrayList<>();
    for (long number : PageFiles.numbers(files)) {
      found.add(PageFiles.record(files, number));
    }
    List<Long> segments = LogReplay.finished(files);
    catalogue.takeAll(found, segments.isEmpty() ? 0 : segments.get(0));
    new PagesAside(disk, files, catalogue).keepUnknown(); // before there is a catalogue
    catalogue.writeNew();
    LogRange.make(disk, files);
    if (version == StoreVersion.NONE) {
      StoreVersion.write(disk, files);
    }
    catalogue.install();
    return new CatalogueOpening(catalogue, missing, new CatalogueCheck(files, catalogue, missing));
  }
}
