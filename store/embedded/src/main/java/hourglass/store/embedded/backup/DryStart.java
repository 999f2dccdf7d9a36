package hourglass.store.embedded.backup;

import hourglass.store.CorruptException;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.disk.UnchangedDisk;
import hourglass.store.embedded.files.CatalogueCheck;
import hourglass.store.embedded.files.MissingParts;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.StoreCatalogue;
import hourglass.store.embedded.firsttimes.FirstTimeIndex;
import hourglass.store.embedded.frames.FrameWriter;
import hourglass.store.embedded.late.LateArrivalIndex;
import hourglass.store.embedded.late.SettleClock;
import hourglass.store.embedded.log.LogReplay;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.embedded.memory.MemoryBudget;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Consumer;

/**
 * Replays the log of a data directory as a start does, with all that a start refuses, and changes
 * nothing. Needs the memory of the columns that are in no page.
 */
final class DryStart {
  private static final Duration WINDOW = Duration.ofHours(1);

  private DryStart() {}

  /** Passes on the reason for which a start would refuse the directory, if there is one. */
  static void run(StoreFiles files, StoreCatalogue catalogue, Consumer<String> sink)
      throws IOException {
    try {
      replay(new UnchangedDisk(), files, catalogue);
    } catch (CorruptException e) {
      sink.accept(String.valueOf(e.getMessage()));
    }
  }

  private static void replay(Disk disk, StoreFiles files, StoreCatalogue catalogue)
      throws IOException {
    MissingParts none = new MissingParts(List.of());
    MemoryBudget budget = new MemoryBudget(Long.MAX_VALUE);
    try (PageFiles pages = new PageFiles(disk, files, catalogue);
        Hours hours =
            new Hours(
                pages, none, type -> StoreFiles.KEEP, Hours.ENTRIES_KEPT, Integer.MAX_VALUE)) {
      SettleClock clock =
          new SettleClock(
              Clock.fixed(Instant.EPOCH, ZoneOffset.UTC), Duration.ZERO, disk, files.settled());
      try (LateArrivalIndex late =
          new LateArrivalIndex(disk, files, budget, clock, catalogue.log(), none)) {
        FirstTimeIndex firstTimes =
            new FirstTimeIndex(
                disk, files, FrameWriter.staging(), WINDOW, Integer.MAX_VALUE, () -> 0);
        long nextGroup =
            new LogReplay(disk, files, hours, budget, late, firstTimes, none)
                .run(catalogue.log().segment(), catalogue.newestGroup())
                .nextGroup();
        new CatalogueCheck(files, catalogue, none).refuseOlderLog(nextGroup);
        late.refuseOlderLog(nextGroup);
        var unused = pages.unlisted(nextGroup); // refuses files that are newer than the log
      }
    }
  }
}
