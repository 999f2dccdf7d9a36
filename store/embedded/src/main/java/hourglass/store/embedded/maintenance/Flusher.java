package hourglass.store.embedded.maintenance;

import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.ColumnsMerge;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.FileProblem;
import hourglass.store.embedded.files.HourPages;
import hourglass.store.embedded.files.PageCommit;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.PageMeta;
import hourglass.store.embedded.files.PageWriter;
import hourglass.store.embedded.log.LogWriter;
import hourglass.store.embedded.memory.Hours;
import hourglass.store.embedded.memory.LoadedHour;
import hourglass.store.embedded.memory.OpenRun;
import hourglass.store.embedded.memory.PageRef;
import hourglass.store.embedded.memory.Row;
import hourglass.store.pages.PageCodec;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the columns of ended log segments into pages: it writes, forces, lists and shows the pages,
 * and only then has the segments deleted. It retries after a failure. Runs on the pages thread.
 */
public final class Flusher implements LogWriter.EndedSegments {
  private static final Logger logger = LoggerFactory.getLogger(Flusher.class);

  private static final int RETRY_SECONDS = 1;

  /** The failures for which one warning is logged: a lasting failure is logged once a minute. */
  private static final int TRIES_A_WARNING = 60 / RETRY_SECONDS;

  /** The rows that share a page file, its directory in memory and its forces. */
  private static final int ROWS_A_COMMIT = 8_192;

  private final Hours hours;
  private final PageFiles pages;
  private final PageWriter writer;
  private final SectionMerger merger;
  private final CloseDeadline deadline;
  private final LogCutter log;
  private final ScheduledExecutorService thread;

  private volatile @Nullable String failure;

  /** The number of failures since the last success. */
  private int failures;

  private boolean retries;

  public Flusher(
      Hours hours,
      PageFiles pages,
      PageWriter writer,
      SectionMerger merger,
      CloseDeadline deadline,
      LogCutter log,
      ScheduledExecutorService thread) {
    this.hours = hours;
    this.pages = pages;
    this.writer = writer;
    this.merger = merger;
    this.deadline = deadline;
    this.log = log;
    this.thread = thread;
  }

  @Override
  public void ended(long segment, long bytes) {
    log.ended(segment, bytes);
    thread.execute(this::flush);
  }

  /** Flushes the segments that have ended; false if that failed, or the store is closing. */
  public boolean flush() {
    Long newest = log.newestEnded();
    if (newest == null) {
      return true;
    }
    try {
      if (!flushUpTo(newest)) {
        logger.info("closing; the log keeps columns that were not flushed");
        return false;
      }
      log.cut(newest);
      hours.evictUnused();
      merger.mergeSmall();
      if (failures > 0) {
        logger.info("pages are written again, after {} failures", failures);
      }
      failures = 0;
      failure = null;
      return true;
    } catch (IOException | RuntimeException | Error e) { // the executor would drop an Error unseen
      failed(e);
      return false;
    }
  }

  private void failed(Throwable e) {
    failure = "pages cannot be written: " + FileProblem.of(e);
    if (failures++ % TRIES_A_WARNING == 0) {
      Throwable bug = e instanceof IOException ? null : e;
      logger.warn("{}; trying again each second", failure, bug);
    }
    if (retries) {
      return; // otherwise each segment that ends meanwhile would add its own retries
    }
    try {
      var unused = thread.schedule(this::retry, RETRY_SECONDS, TimeUnit.SECONDS);
      retries = true;
    } catch (RejectedExecutionException closing) {
      logger.info("closing; the log keeps columns that were not flushed");
    }
  }

  private void retry() {
    retries = false;
    flush();
  }

  /**
   * Flushes the columns up to and including a segment; false if the store closes and too many are
   * left. A repeat skips finished work.
   */
  private boolean flushUpTo(long segment) throws IOException {
    List<LoadedHour> open =
        hours.loaded().stream()
            .filter(state -> state.openRows() > 0)
            .sorted(Comparator.comparing(LoadedHour::hour))
            .toList();
    int left = open.stream().mapToInt(LoadedHour::openRows).sum();
    Deque<RowsToFlush> waiting = new ArrayDeque<>();
    for (LoadedHour state : open) {
      List<Row> rows =
          state.rows().stream().filter(row -> row.content().hasOpenRuns(segment)).toList();
      hours
          .byPages(state, rows)
          .forEach((to, these) -> divided(these, part -> waiting.add(new RowsToFlush(to, part))));
    }
    while (!waiting.isEmpty()) {
      List<RowsToFlush> together = nextCommit(waiting);
      if (deadline.isTooShortFor(left) || !flush(together, segment)) {
        return false;
      }
      left -= together.stream().mapToInt(each -> each.rows().size()).sum();
    }
    return true;
  }

  /** Rows of an hour and class, at most as many as share a commit. */
  private record RowsToFlush(HourPages pages, List<Row> rows) {}

  private static void divided(List<Row> rows, Consumer<List<Row>> sink) {
    for (int from = 0; from < rows.size(); from += ROWS_A_COMMIT) {
      sink.accept(rows.subList(from, Math.min(rows.size(), from + ROWS_A_COMMIT)));
    }
  }

  /** Takes the rows that share the next page file. */
  private static List<RowsToFlush> nextCommit(Deque<RowsToFlush> waiting) {
    List<RowsToFlush> together = new ArrayList<>();
    Set<HourPages> hours = new HashSet<>();
    int rows = 0;
    while (!waiting.isEmpty()
        && rows + waiting.element().rows().size() <= ROWS_A_COMMIT
        && hours.add(waiting.element().pages())) {
      rows += waiting.element().rows().size();
      together.add(waiting.remove());
    }
    return together;
  }

  private boolean flush(List<RowsToFlush> together, long segment) throws IOException {
    Map<Row, List<PageRef>> made = new LinkedHashMap<>();
    try (PageCommit commit = pages.beginCommit()) {
      for (RowsToFlush each : together) {
        if (!put(commit, each, segment, made)) {
          return false; // the pages are not listed, so they have no effect
        }
      }
      commit.commit();
    }
    made.forEach((row, refs) -> row.update(content -> content.flushed(segment, refs)));
    together.forEach(each -> merger.grew(each.pages().of()));
    return true;
  }

  /** Puts the pages of rows of an hour; false if the store closes and the time is over. */
  private boolean put(
      PageCommit commit, RowsToFlush each, long segment, Map<Row, List<PageRef>> made)
      throws IOException {
    Map<Row, List<OpenRun>> runs = new LinkedHashMap<>();
    each.rows().forEach(row -> runs.put(row, row.content().openUpTo(segment)));
    boolean severalPages = runs.size() > 1 || !runs.values().stream().allMatch(Flusher::isOnePage);
    PageWriter.PageSeries series = writer.begin(commit.section(each.pages()), severalPages);
    for (Map.Entry<Row, List<OpenRun>> row : runs.entrySet()) {
      if (deadline.isOver()) {
        return false;
      }
      made.put(row.getKey(), refs(each.pages(), put(series, row.getKey().key(), row.getValue())));
    }
    series.end();
    return true;
  }

  private static boolean isOnePage(List<OpenRun> runs) {
    return PageWriter.isOnePage(count(runs), payloadBytes(runs));
  }

  private static long count(List<OpenRun> runs) {
    return runs.stream().mapToLong(OpenRun::count).sum();
  }

  private static long payloadBytes(List<OpenRun> runs) {
    return runs.stream().mapToLong(OpenRun::payloadBytes).sum();
  }

  private static List<PageMeta> put(PageWriter.PageSeries series, RowKey row, List<OpenRun> runs)
      throws IOException {
    long group = runs.stream().mapToLong(OpenRun::group).max().orElse(0);
    ColumnsMerge merge = new ColumnsMerge(runs.stream().map(OpenRun::columns).toList());
    // Pages are merged one at a time in the same arrays: a larger copy would leave the processor's
    // cache.
    ColumnsBuilder page =
        new ColumnsBuilder(
            (int) Math.min(count(runs), PageCodec.PAGE_COLUMNS),
            (int) Math.min(payloadBytes(runs), PageCodec.PAGE_BYTES));
    List<PageMeta> made = new ArrayList<>();
    while (merge.hasNext()) {
      Columns next = merge.next(PageCodec.PAGE_COLUMNS, PageCodec.PAGE_BYTES, page);
      made.addAll(series.put(row, group, next));
    }
    return made;
  }

  static List<PageRef> refs(HourPages hour, List<PageMeta> pages) {
    return pages.stream().map(page -> new PageRef(hour, page)).toList();
  }

  public void check() {
    String reason = failure;
    if (reason != null) {
      throw new UnavailableException(reason);
    }
  }
}
