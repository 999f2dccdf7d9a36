package hourglass.store.embedded.pages;

import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.NameRanges;
import hourglass.store.pages.PageCodec;
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

  /** The pages count after {@link PageFiles#commit}. */
  public WrittenPages put(PageFiles files, RowKey row, Columns columns, long group)
      throws IOException {
    PageSeries pages = begin(files, row, columns.size(), columns.payloadBytes(), group);
    pages.put(columns);
    return pages.end();
  }

  /**
   * Begins to write pages of a row; the ones before must have ended.
   *
   * @param count about how many columns will follow
   * @param payloadBytes about how many bytes they have
   */
  public PageSeries begin(PageFiles files, RowKey row, long count, long payloadBytes, long group) {
    values.clear();
    boolean severalPages = count > PageCodec.PAGE_COLUMNS || payloadBytes > PageCodec.PAGE_BYTES;
    return new PageSeries(files, row, severalPages, group);
  }

  /** Writes pages of a row, with an index of their values if there are several. */
  public final class PageSeries {
    private final PageFiles files;
    private final RowKey row;
    private final boolean isIndexed;
    private final long group;
    private final WrittenPages written = new WrittenPages();
    private final List<Long> indexed = new ArrayList<>();

    private PageSeries(PageFiles files, RowKey row, boolean isIndexed, long group) {
      this.files = files;
      this.row = row;
      this.isIndexed = isIndexed;
      this.group = group;
    }

    /** Columns after all those before. */
    public void put(Columns columns) throws IOException {
      int from = 0;
      while (from < columns.size()) {
        int to = PageCodec.end(columns, from);
        Columns part = columns.subColumns(from, to);
        long number = nextNumber++;
        byte[] page = isIndexed ? encodeIndexed(part, number) : codec.encode(part);
        written.add(files.put(row, number, page, group, NameRanges.of(part)));
        if (values.isFull()) {
          putIndex();
        }
        from = to;
      }
    }

    private byte[] encodeIndexed(Columns page, long number) {
      values.beginPage();
      indexed.add(number);
      return codec.encode(page, values);
    }

    private void putIndex() throws IOException {
      written.add(files.putIndex(row, nextNumber++, values.toBytes(), indexed));
      values.clear();
      indexed.clear();
    }

    public WrittenPages end() throws IOException {
      if (!indexed.isEmpty()) {
        putIndex();
      }
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
      // The numbers of pages that are lost stay, as places in the index must.
      List<Long> pages =
          index.pages().stream().map(page -> numbers.getOrDefault(page, page)).toList();
      written.add(files.putIndex(index.row(), nextNumber++, files.readBytes(index), pages));
    }
  }
}
