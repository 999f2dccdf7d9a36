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
   * The number of pages for which columns are merged at a time. The copy of a whole row would be
   * too large for the young generation of the heap, and cause full collections. Each batch ends
   * with a smaller page.
   */
  private static final int BATCH_PAGES = 16;

  public static final int BATCH_COLUMNS = BATCH_PAGES * PageCodec.PAGE_COLUMNS;
  public static final int BATCH_BYTES = BATCH_PAGES * PageCodec.PAGE_BYTES;

  private final PageCodec codec = new PageCodec();
  private final ValueIndexWriter values = new ValueIndexWriter();
  private long nextNumber;

  /**
   * Creates a writer whose page numbers are unique, since a first log segment is never used again.
   */
  public PageWriter(long firstSegment) {
    nextNumber = firstSegment << Integer.SIZE;
  }

  /** Puts pages of a single row. They become visible with {@link PageFiles#commit}. */
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
   * Begins the pages of one commit. The previous series must have ended, or be given up.
   *
   * @param indexed whether pages get an index of their values in place of filters of their own;
   *     this is worthwhile if there will be more than one page
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

    /** The pages whose values are in no written index yet, by their places in the next one. */
    private final List<PageMeta> indexed = new ArrayList<>();

    private PageSeries(PageFiles files, boolean isIndexed) {
      this.files = files;
      this.isIndexed = isIndexed;
    }

    /** Puts columns of a row that follow all its columns before. Returns their pages. */
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
        if (values.pages() > indexed.size()) { // other pages have a filter of their own, or none
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

  /** Copies all indexes, for copies of their pages. */
  public void putIndexesAgain(PageFiles files, Map<PageMeta, PageMeta> copies, WrittenPages written)
      throws IOException {
    Map<Long, Long> numbers = new HashMap<>();
    copies.forEach((page, copy) -> numbers.put(page.number(), copy.number()));
    for (IndexMeta index : List.copyOf(files.indexes())) {
      // Numbers of pages that were removed or lost remain, since places in the index must not
      // change.
      List<Long> pages =
          index.pages().stream().map(page -> numbers.getOrDefault(page, page)).toList();
      written.add(files.putIndex(index.row(), nextNumber++, files.readBytes(index), pages));
    }
  }
}
