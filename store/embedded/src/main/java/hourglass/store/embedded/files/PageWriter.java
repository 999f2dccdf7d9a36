package hourglass.store.embedded.files;

import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.NameRanges;
import hourglass.store.pages.PageCodec;
import hourglass.store.rows.ValueIndexWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Divides sorted columns into pages and writes them. Not thread-safe. */
public final class PageWriter {
  /**
   * Columns are merged for so many pages at a time: the copy of a whole row would be too large for
   * the young generation, and cause full collections. Each such batch ends with a smaller page.
   */
  private static final int BATCH_PAGES = 16;

  public static final int BATCH_COLUMNS = BATCH_PAGES * PageCodec.PAGE_COLUMNS;
  public static final int BATCH_BYTES = BATCH_PAGES * PageCodec.PAGE_BYTES;

  private final PageCodec codec = new PageCodec();
  private final ValueIndexWriter values = new ValueIndexWriter();
  private long nextNumber;

  /** Numbers are unique: a first log segment never repeats. */
  public PageWriter(long firstSegment) {
    nextNumber = firstSegment << Integer.SIZE;
  }

  /** Pages of one row alone. They count after {@link PageFiles#commit}. */
  public WrittenPages put(PageFiles files, RowKey row, Columns columns, long group)
      throws IOException {
    PageSeries pages = begin(files, !isOnePage(columns.size(), columns.payloadBytes()));
    pages.put(row, group, columns);
    return pages.end();
  }

  public static boolean isOnePage(long columns, long payloadBytes) {
    return columns <= PageCodec.PAGE_COLUMNS && payloadBytes <= PageCodec.PAGE_BYTES;
  }

  /**
   * Begins the pages of one commit. The series before must have ended, or be given up.
   *
   * @param indexed whether pages get an index of their values in place of filters of their own;
   *     pays if there will be more than one
   */
  public PageSeries begin(PageFiles files, boolean indexed) {
    values.clear();
    return new PageSeries(files, indexed);
  }

  /** Writes the pages of rows, one row after the other. */
  public final class PageSeries {
    private final PageFiles files;
    private final boolean isIndexed;
    private final WrittenPages written = new WrittenPages();

    /** Pages whose values are in no written index yet, by their places in the next one. */
    private final List<PageMeta> indexed = new ArrayList<>();

    private PageSeries(PageFiles files, boolean isIndexed) {
      this.files = files;
      this.isIndexed = isIndexed;
    }

    /** Columns of a row after all those before. Returns their pages. */
    public List<PageMeta> put(RowKey row, long group, Columns columns) throws IOException {
      List<PageMeta> made = new ArrayList<>();
      int from = 0;
      while (from < columns.size()) {
        int to = PageCodec.end(columns, from);
        Columns part = columns.subColumns(from, to);
        long number = nextNumber++;
        byte[] page = isIndexed ? codec.encode(part, values) : codec.encode(part);
        PageMeta meta = files.put(row, number, page, group, NameRanges.of(part));
        made.add(meta);
        written.add(meta);
        if (values.pages() > indexed.size()) { // others have a filter of their own, or none
          indexed.add(meta);
        }
        if (values.isFull()) {
          putIndex();
        }
        from = to;
      }
      return made;
    }

    private void putIndex() throws IOException {
      if (values.pages() != indexed.size()) {
        throw new IllegalStateException(
            "values of %s pages, for %s".formatted(values.pages(), indexed.size()));
      }
      if (!indexed.isEmpty()) {
        RowKey first = indexed.get(0).row();
        List<Long> numbers = indexed.stream().map(PageMeta::number).toList();
        written.add(files.putIndex(first, nextNumber++, values.toBytes(), numbers));
      }
      values.clear();
      indexed.clear();
    }

    public WrittenPages end() throws IOException {
      putIndex();
      return written;
    }
  }

  /** Copies a page that is listed. */
  public PageMeta putAgain(PageFiles files, PageMeta page, byte[] bytes) throws IOException {
    return files.put(page.row(), nextNumber++, bytes, page.group(), page.names());
  }

  /** Copies all indexes for the copies of their pages. */
  public void putIndexesAgain(PageFiles files, Map<PageMeta, PageMeta> copies, WrittenPages written)
      throws IOException {
    Map<Long, Long> numbers = new HashMap<>();
    copies.forEach((page, copy) -> numbers.put(page.number(), copy.number()));
    for (IndexMeta index : List.copyOf(files.indexes())) {
      // The numbers of pages that were removed or lost stay, as places in the index must.
      List<Long> pages =
          index.pages().stream().map(page -> numbers.getOrDefault(page, page)).toList();
      written.add(files.putIndex(index.row(), nextNumber++, files.readBytes(index), pages));
    }
  }
}
