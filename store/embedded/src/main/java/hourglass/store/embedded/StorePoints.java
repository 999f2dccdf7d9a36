package hourglass.store.embedded;

import hourglass.store.UnavailableException;
import hourglass.store.embedded.backup.StorePoint;
import hourglass.store.embedded.backup.StorePoint.Part;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.Watermark;
import hourglass.store.embedded.erasure.StoredErasures;
import hourglass.store.embedded.files.CatalogueContent;
import hourglass.store.embedded.files.MissingParts;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.ReadEpochs;
import hourglass.store.embedded.firsttimes.FirstTimeIndex;
import hourglass.store.embedded.late.LateArrivalIndex;
import hourglass.store.embedded.log.LogWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Takes points of a running store for backups. All that was acknowledged is flushed first, so a
 * point needs no log, and digests by row cover all of it. Thread-safe.
 */
record StorePoints(
    StoreFiles files,
    PageFiles pages,
    MissingParts missing,
    LogWriter log,
    LateArrivalIndex lateArrivals,
    FirstTimeIndex firstTimes,
    StoredErasures erasures,
    Maintenance maintenance)
    implements StorePoint.Source {

  @Override
  public StorePoint take() {
    try {
      return maintenance.afterFlush(this::takeNow).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new UnavailableException("no point can be taken: " + e.getCause(), e);
    }
  }

  /** Takes a point on the pages thread, which alone lists, merges and deletes files. */
  private StorePoint takeNow() throws IOException {
    CatalogueContent catalogue = pages.catalogue().content();
    List<Part> parts = new ArrayList<>();
    add(lateArrivals.lengths(), parts);
    add(firstTimes.lengths(), parts);
    add(erasures.lengths(), parts);
    @Nullable Watermark settled = Watermark.read(files.settled());
    ReadEpochs.Epoch epoch = pages.reads().begin();
    maintenance.keepSmallFiles();
    return new StorePoint(
        files,
        catalogue,
        log.shownGroup() + 1,
        settled == null ? 0 : settled.last(),
        parts,
        missing.files(),
        () -> {
          maintenance.releaseSmallFiles();
          pages.reads().end(epoch);
        });
  }

  @Override
  public boolean keepsDeletedFiles() {
    return pages.hasWaiting();
  }

  private static void add(Map<Path, Long> lengths, List<Part> to) {
    lengths.forEach((path, bytes) -> to.add(new Part(path, bytes)));
  }
}
