package hourglass.store.embedded.maintenance;

import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.files.StoreCatalogue;
import hourglass.store.embedded.firsttimes.FirstTimeIndex;
import hourglass.store.embedded.late.LateArrivalIndex;
import hourglass.store.embedded.log.LogRange;
import hourglass.store.embedded.log.LogReplay;
import hourglass.store.embedded.memory.MemoryBudget;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Deletes ended log segments whose columns are in pages, and gives their memory back. Late arrivals
 * and first times of the segments become files before. One thread cuts; others may end segments.
 */
public final class LogCutter {
  private final Disk disk;
  private final StoreFiles files;
  private final StoreCatalogue catalogue;
  private final LogRange range;
  private final MemoryBudget budget;
  private final LateArrivalIndex lateArrivals;
  private final FirstTimeIndex firstTimes;
  private final Clock clock;

  /** The ended segments, with the memory of their columns. */
  private final NavigableMap<Long, Long> ended = new ConcurrentSkipListMap<>();

  public LogCutter(
      Disk disk,
      StoreFiles files,
      StoreCatalogue catalogue,
      LogRange range,
      LogReplay.Result replayed,
      MemoryBudget budget,
      LateArrivalIndex lateArrivals,
      FirstTimeIndex firstTimes,
      Clock clock) {
    this.disk = disk;
    this.files = files;
    this.catalogue = catalogue;
    this.range = range;
    this.budget = budget;
    this.lateArrivals = lateArrivals;
    this.firstTimes = firstTimes;
    this.clock = clock;
    ended.putAll(replayed.bytesBySegment());
    if (replayed.segment() > 0) { // also cuts off a segment that was given up
      ended.putIfAbsent(replayed.segment(), 0L);
    }
  }

  /** Takes note of a segment that ended, and of the memory that its columns hold. */
  void ended(long segment, long bytes) {
    ended.put(segment, bytes);
  }

  /** Returns the newest ended segment; null if all were cut. */
  @Nullable Long newestEnded() {
    return ended.isEmpty() ? null : ended.lastKey();
  }

  /** Cuts the log after a segment, up to which all columns are in listed pages. */
  void cut(long newest) throws IOException {
    lateArrivals.flush(newest, clock.millis());
    firstTimes.flush(newest);
    catalogue.cutting(lateArrivals.listed(newest + 1));
    range.oldestIs(newest + 1);
    for (var segment : new ArrayList<>(ended.headMap(newest, true).entrySet())) {
      disk.delete(files.segment(segment.getKey()));
      // The deletions are made durable one by one: a power cut must not leave a gap between
      // segments.
      disk.forceDirectory(files.log());
      ended.remove(segment.getKey());
      budget.release(segment.getValue());
    }
  }

  /** The bytes of all segments; 0 if they cannot be listed. */
  public long logBytes() {
    try {
      return LogReplay.segments(files).stream()
          .mapToLong(segment -> files.segment(segment).toFile().length())
          .sum();
    } catch (IOException e) {
      return 0;
    }
  }
}
