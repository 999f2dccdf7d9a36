package hourglass.store.embedded.files;

import hourglass.bucketing.Hour;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.SystemDisk;
import hourglass.store.embedded.frames.FrameWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

final class PagesOnDisk {
  private PagesOnDisk() {}

  /** The pages that are kept for ever of an hour, in a data directory. */
  static PageFiles load(Path dir, Hour hour, Set<Integer> generationsMissing) throws IOException {
    SystemDisk disk = new SystemDisk();
    StoreFiles files = new StoreFiles(dir);
    PageFiles pages =
        new PageFiles(
            disk,
            files.hour(StoreFiles.KEEP, hour),
            hour,
            FrameWriter.staging(),
            new StoreCatalogue(disk, files),
            generationsMissing);
    pages.load((row, manifest) -> {});
    return pages;
  }
}
