package hourglass.store.embedded.maintenance;

import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.embedded.files.HourPages;
import hourglass.store.embedded.files.NewSection;
import hourglass.store.embedded.files.PageCommit;
import hourglass.store.embedded.files.PageMeta;
import hourglass.store.embedded.files.PageWriter;
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
 * Rewrites pages of a row that overlap or are small. One commit swaps the pages, those in other
 * classes too. Not thread-safe.
 */
public final class Compactor {
  /** The part of a full page, as a divisor, below which a page is small. */
  private static final int SMALL_SHARE = 4;

  private final PageWriter writer;
  private final RowPartsReader reader;

  public Compactor(PageWriter writer, RowPartsReader reader) {
    this.writer = writer;
    this.reader = reader;
  }

  static boolean isWorthIt(RowContent content) {
    List<PageRef> pages = content.pages();
    int small = 0;
    for (int i = 0; i < pages.size(); i++) {
      PageRef page = pages.get(i);
      if (i > 0 && pages.get(i - 1).last().compareTo(page.first()) >= 0
          || page.pages() != pages.get(0).pages()) {
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

  /** The pages of a row, and those that replace them once the commit is done. */
  record Replacement(Row row, Set<PageRef> before, List<PageRef> after) {
    void show() {
      row.update(now -> now.replaced(before, after));
    }
  }

  /** Writes new pages of rows of an hour and class. */
  List<Replacement> compact(PageCommit commit, HourPages hour, List<Row> rows) throws IOException {
    if (rows.isEmpty()) {
      return List.of();
    }
    List<Replacement> replacements = new ArrayList<>();
    Map<HourPages, List<PageMeta>> removed = new HashMap<>();
    NewSection section = commit.section(hour);
    PageWriter.PageSeries series =
        writer.begin(section, rows.size() > 1 || !isOnePage(rows.get(0)));
    for (Row row : rows) {
      RowContent content = row.content();
      List<PageMeta> made = put(series, row, content);
      Set<PageRef> before = new HashSet<>(content.pages());
      replacements.add(new Replacement(row, before, Flusher.refs(hour, made)));
      for (PageRef page : content.pages()) {
        removed.computeIfAbsent(page.pages(), k -> new ArrayList<>()).add(page.meta());
      }
    }
    series.end();
    for (Map.Entry<HourPages, List<PageMeta>> each : removed.entrySet()) {
      commit.section(each.getKey()).remove(each.getValue());
    }
    return replacements;
  }

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
}
