package hourglass.store.embedded.maintenance;

import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.embedded.files.PageFiles;
import hourglass.store.embedded.files.PageMeta;
import hourglass.store.embedded.files.PageWriter;
import hourglass.store.embedded.files.WrittenPages;
import hourglass.store.embedded.memory.LoadedHour;
import hourglass.store.embedded.memory.PageRef;
import hourglass.store.embedded.memory.Row;
import hourglass.store.embedded.memory.RowContent;
import hourglass.store.pages.PageCodec;
import hourglass.store.rows.RowParts;
import hourglass.store.rows.RowPartsReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Rewrites pages of a row that overlap or are small, and maps in which most pages were replaced.
 * One inventory group swaps the pages; replaced pages in other classes are removed after it. Not
 * thread-safe.
 */
public final class Compactor {
  /** The part of a full page, as a divisor, below which a page is small. */
  private static final int SMALL_SHARE = 4;

  private final PageWriter writer;
  private final RowPartsReader reader;
  private final CloseDeadline deadline;

  public Compactor(PageWriter writer, RowPartsReader reader, CloseDeadline deadline) {
    this.deadline = deadline;
    this.writer = writer;
    this.reader = reader;
  }

  static boolean isWorthIt(RowContent content) {
    List<PageRef> pages = content.pages();
    int small = 0;
    for (int i = 0; i < pages.size(); i++) {
      PageRef page = pages.get(i);
      if (i > 0 && pages.get(i - 1).last().compareTo(page.first()) >= 0
          || page.files() != pages.get(0).files()) {
        return true;
      }
      small +=
          page.payloadBytes() < PageCodec.PAGE_BYTES / SMALL_SHARE
                  && page.count() < PageCodec.PAGE_COLUMNS / SMALL_SHARE
              ? 1
              : 0;
    }
    return small > 1 && small > pages.size() / SMALL_SHARE;
  }

  void compact(List<Row> rows, PageFiles files) throws IOException {
    if (rows.isEmpty()) {
      return;
    }
    List<Replacement> replacements = new ArrayList<>();
    Map<PageFiles, List<PageMeta>> removed = new HashMap<>();
    PageWriter.PageSeries series = writer.begin(files, rows.size() > 1 || !isOnePage(rows.get(0)));
    for (Row row : rows) {
      RowContent content = row.content();
      List<PageMeta> made = put(series, row, content);
      Set<PageRef> before = new HashSet<>(content.pages());
      replacements.add(new Replacement(row, before, Flusher.refs(files, made)));
      for (PageRef page : content.pages()) {
        removed.computeIfAbsent(page.files(), k -> new ArrayList<>()).add(page.meta());
      }
    }
    files.commit(series.end(), removed.getOrDefault(files, List.of()));
    removed.remove(files);
    for (Map.Entry<PageFiles, List<PageMeta>> elsewhere : removed.entrySet()) {
      elsewhere.getKey().commit(new WrittenPages(), elsewhere.getValue());
    }
    for (Replacement each : replacements) {
      each.row().update(now -> now.replaced(each.before(), each.after()));
    }
  }

  private record Replacement(Row row, Set<PageRef> before, List<PageRef> after) {}

  private static boolean isOnePage(Row row) {
    List<PageRef> pages = row.content().pages();
    return PageWriter.isOnePage(
        pages.stream().mapToLong(PageRef::count).sum(),
        pages.stream().mapToLong(PageRef::payloadBytes).sum());
  }

  private List<PageMeta> put(PageWriter.PageSeries series, Row row, RowContent content)
      throws IOException {
    PageBatch batch = new PageBatch(series, row.key(), content.pagesGroup());
    reader.scan(row.key(), new RowParts<>(content.index(), List.of()), batch::add);
    batch.flush();
    return batch.made;
  }

  private static final class PageBatch {
    private final PageWriter.PageSeries series;
    private final RowKey row;
    private final long group;
    private final List<PageMeta> made = new ArrayList<>();
    private final List<Columns> waiting = new ArrayList<>();
    private long waitingBytes;
    private int waitingColumns;

    PageBatch(PageWriter.PageSeries series, RowKey row, long group) {
      this.series = series;
      this.row = row;
      this.group = group;
    }

    void add(Columns columns) throws IOException {
      waiting.add(columns);
      waitingBytes += columns.payloadBytes();
      waitingColumns += columns.size();
      if (waitingBytes >= PageWriter.BATCH_BYTES || waitingColumns >= PageWriter.BATCH_COLUMNS) {
        flush();
      }
    }

    void flush() throws IOException {
      if (!waiting.isEmpty()) {
        made.addAll(series.put(row, group, Columns.merge(waiting)));
      }
      waiting.clear();
      waitingBytes = 0;
      waitingColumns = 0;
    }
  }

  void rewriteIfMostlyDead(LoadedHour state, PageFiles files) throws IOException {
    if (files.deadBytes() <= files.liveBytes()) {
      return;
    }
    List<PageMeta> old = new ArrayList<>(files.pages());
    WrittenPages added = new WrittenPages();
    files.nextGeneration();
    Map<PageMeta, PageMeta> copies = new HashMap<>();
    for (PageMeta page : old) {
      if (deadline.isClosing()) {
        return; // the copies are not listed, so they have no effect
      }
      PageMeta copy = writer.putAgain(files, page, files.readBytes(page));
      added.add(copy);
      copies.put(page, copy);
    }
    writer.putIndexesAgain(files, copies, added);
    files.commit(added, old);
    for (Row row : state.rows()) {
      row.update(content -> content.moved(files, copies));
    }
    files.deleteDeadGenerations();
  }
}
