package hourglass.store.embedded;

import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.erasure.StoredErasures;
import hourglass.store.embedded.files.MissingParts;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.firsttimes.FirstTimeIndex;
import hourglass.store.embedded.frames.FrameWriter;
import hourglass.store.embedded.late.LateArrivalIndex;
import hourglass.store.embedded.late.SettleClock;
import hourglass.store.embedded.log.LogReplay;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.embedded.memory.MemoryBudget;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.function.LongSupplier;

/**
 * The pages of a store, its columns in memory by hour, its late arrivals, first times and erasures.
 * All are thread-safe.
 *
 * @param memory the memory of columns that are in no page
 */
record StoreContent(
    PageFiles pages,
    MissingParts missing,
    Hours hours,
    MemoryBudget memory,
    SettleClock settleClock,
    LateArrivalIndex lateArrivals,
    FirstTimeIndex firstTimes,
    StoredErasures erasures) {

  /** Loads what a data directory has beside the log. */
  static StoreContent load(
      CatalogueOpening opening,
      Disk disk,
      StoreFiles files,
      EmbeddedOptions options,
      Clock clock,
      LongSupplier steadyMillis)
      throws IOException {
    MissingParts missing = opening.missing();
    MemoryBudget memory = new MemoryBudget(options.memoryBudgetBytes());
    PageFiles pages = new PageFiles(disk, files, opening.catalogue());
    Hours hours =
        new Hours(
            pages,
            missing,
            type -> StoreFiles.retentionClass(options.retention().forType(type)),
            Hours.ENTRIES_KEPT,
            Hours.ENTRIES_MAX);
    SettleClock settleClock = new SettleClock(clock, options.settle(), disk, files.settled());
    LateArrivalIndex lateArrivals =
        new LateArrivalIndex(disk, files, memory, settleClock, opening.catalogue().log(), missing);
    ByteBuffer staging = FrameWriter.staging(); // of the pages thread
    StoredErasures erasures = StoredErasures.load(disk, files, staging);
    FirstTimeIndex firstTimes =
        new FirstTimeIndex(
            disk,
            files,
            staging,
            options.untimedWindow(),
            options.untimedEventsMax(),
            steadyMillis);
    return new StoreContent(
        pages, missing, hours, memory, settleClock, lateArrivals, firstTimes, erasures);
  }

  /** Adds what only the log has, and compares the directory with the log. */
  LogReplay.Result replay(CatalogueOpening opening, Disk disk, StoreFiles files)
      throws IOException {
    LogReplay.Result replayed =
        new LogReplay(disk, files, hours, memory, lateArrivals, firstTimes, missing)
            .run(opening.catalogue().log().segment(), opening.catalogue().newestGroup());
    opening.check().refuseOlderLog(replayed.nextGroup());
    lateArrivals.refuseOlderLog(replayed.nextGroup());
    pages.removeUnlisted(replayed.nextGroup(), missing.count() > 0);
    lateArrivals.forgetGivenUp(replayed.nextGroup());
    missing.warnUnused();
    return replayed;
  }
}
