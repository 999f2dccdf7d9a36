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
import hourglass.store.rows.PartIndex;
import hourglass.store.rows.RowParts;
import hourglass.store.rows.RowPartsReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

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

  /**
   * Pages of a row that are written anew.
   *
   * @param pages at least one
   * @param group the log group of the new pages
   * @param change returns what becomes of columns, perhaps none
   */
  record Rewrite(Row row, List<PageRef> pages, long group, UnaryOperator<Columns> change) {
    /** Returns the rewrite of all pages of a row, whose columns stay as they are. */
    static Rewrite of(Row row) {
      RowContent content = row.content();
      return new Rewrite(row, content.pages(), content.pagesGroup(), columns -> columns);
    }

    private boolean isOnePage() {
      return PageWriter.isOnePage(
          pages.stream().mapToLong(PageRef::count).sum(),
          pages.stream().mapToLong(PageRef::payloadBytes).sum());
    }
  }

  /** Writes new pages in place of others, in an hour and class. */
  List<Replacement> rewrite(PageCommit commit, HourPages hour, List<Rewrite> rewrites)
      throws IOException {
    if (rewrites.isEmpty()) {
      return List.of();
    }
    List<Replacement> replacements = new ArrayList<>();
    Map<HourPages, List<PageMeta>> removed = new HashMap<>();
    NewSection section = commit.section(hour);
    PageWriter.PageSeries series =
        writer.begin(section, rewrites.size() > 1 || !rewrites.get(0).isOnePage());
    for (Rewrite rewrite : rewrites) {
      List<PageMeta> made = put(series, rewrite);
      Set<PageRef> before = new HashSet<>(rewrite.pages());
      replacements.add(new Replacement(rewrite.row(), before, Flusher.refs(hour, made)));
      for (PageRef page : rewrite.pages()) {
        removed.computeIfAbsent(page.pages(), k -> new ArrayList<>()).add(page.meta());
      }
    }
    series.end();
    for (Map.Entry<HourPages, List<PageMeta>> each : removed.entrySet()) {
      commit.section(each.getKey()).remove(each.getValue());
    }
    return replacements;
  }

  private List<PageMeta> put(PageWriter.PageSeries series, Rewrite rewrite) throws IOException {
    RowKey row = rewrite.row().key();
    PageBatch batch = new PageBatch(series, row, rewrite.group());
    RowParts<PageRef> parts = new RowParts<>(PartIndex.of(rewrite.pages()), List.of());
    reader.scan(row, parts, columns -> batch.add(rewrite.change().apply(columns)));
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
      if (columns.isEmpty()) {
        return;
      }
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
