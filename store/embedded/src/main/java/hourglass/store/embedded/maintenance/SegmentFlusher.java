package hourglass.store.embedded.maintenance;

import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.Disk;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.late.LateArrivalIndex;
import hourglass.store.embedded.log.LogRange;
import hourglass.store.embedded.log.LogReplay;
import hourglass.store.embedded.log.LogWriter;
import hourglass.store.embedded.pages.StoreCatalogue;
import hourglass.store.embedded.rows.MemoryBudget;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flushes ended log segments into pages, then deletes them. Retries after a failure. The work runs
 * on the thread of pages.
 */
public final class SegmentFlusher implements LogWriter.EndedSegments {
  private static final Logger logger = LoggerFactory.getLogger(SegmentFlusher.class);

  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final Disk disk;
  private final StoreFiles files;
  private final Flusher flusher;
  private final MemoryBudget budget;
  private final LogRange range;
  private final LateArrivalIndex arrivals;
  private final StoreCatalogue catalogue;
  private final Clock clock;
  private final ScheduledExecutorService thread;

  /** Ended segments, with the memory that their columns hold. */
  private final NavigableMap<Long, Long> ended = new ConcurrentSkipListMap<>();

  private volatile @Nullable String failure;

  /**
   * Starts with the replayed segments.
   *
   * @param replayed segments found at start, which are flushed first
   * @param thread the thread of pages
   */
  public SegmentFlusher(
      Disk disk,
      StoreFiles files,
      Flusher flusher,
      MemoryBudget budget,
      LogRange range,
      LogReplay.Result replayed,
      LateArrivalIndex arrivals,
      StoreCatalogue catalogue,
      Clock clock,
      ScheduledExecutorService thread) {
    this.disk = disk;
    this.files = files;
    this.flusher = flusher;
    this.budget = budget;
    this.range = range;
    this.arrivals = arrivals;
    this.catalogue = catalogue;
    this.clock = clock;
    this.thread = thread;
    ended.putAll(replayed.bytesBySegment());
    if (replayed.segment() > 0) { // also cuts a segment that was given up
      ended.putIfAbsent(replayed.segment(), 0L);
    }
  }

  @Override
  public void ended(long segment, long bytes) {
    ended.put(segment, bytes);
    thread.execute(this::flush);
  }

  /** Flushes all ended segments and cuts the log; retries after a failure. */
  public void flush() {
    Long newest = ended.isEmpty() ? null : ended.lastKey();
    if (newest == null) {
      return;
    }
    try {
      if (!flusher.flush(newest)) {
        logger.info("closing; the log keeps what was not flushed");
        return;
      }
      cutLog(newest);
      failure = null;
    } catch (IOException | RuntimeException | Error e) { // the executor would drop an Error unseen
      failure = "pages cannot be written: " + e;
      logger.warn("{}; trying again in {}", failure, RETRY_AFTER, e);
      retry();
    }
  }

  private void retry() {
    try {
      var unused = thread.schedule(this::flush, RETRY_AFTER.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      logger.info("closing; the log keeps what was not flushed");
    }
  }

  private void cutLog(long newest) throws IOException {
    arrivals.flush(newest, clock.millis());
    catalogue.cutting(arrivals.listed(newest + 1));
    range.oldestIs(newest + 1);
    for (var segment : new ArrayList<>(ended.headMap(newest, true).entrySet())) {
      disk.delete(files.segment(segment.getKey()));
      // One by one: a power cut must not leave a gap between segments.
      disk.forceDirectory(files.log());
      ended.remove(segment.getKey());
      budget.release(segment.getValue());
    }
  }

  /**
   * Returns if pages can be written.
   *
   * @throws UnavailableException with the reason
   */
  public void check() {
    String reason = failure;
    if (reason != null) {
      throw new UnavailableException(reason);
    }
  }

  /** Bytes of the segments on disk; 0 if they cannot be listed. */
  public long logBytes() {
    try {
      long bytes = 0;
      for (long segment : LogReplay.segments(files)) {
        bytes += files.segment(segment).toFile().length();
      }
      return bytes;
    } catch (IOException e) {
      return 0;
    }
  }
}
