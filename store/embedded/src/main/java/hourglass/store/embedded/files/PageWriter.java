package hourglass.store.embedded.files;

import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.NameRanges;
import hourglass.store.pages.PageCodec;
import hourglass.store.rows.ValueIndexWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

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

  public static boolean isOnePage(long columns, long payloadBytes) {
    return columns <= PageCodec.PAGE_COLUMNS && payloadBytes <= PageCodec.PAGE_BYTES;
  }

  /**
   * Begins a series of pages in a section. The previous series must have ended, or be given up.
   *
   * @param indexed whether pages get an index of their values in place of filters of their own;
   *     this is worthwhile if there will be more than one page
   */
  public PageSeries begin(NewSection section, boolean indexed) {
    values.clear();
    return new PageSeries(section, indexed);
  }

  /** Writes the pages of rows, one row after the other. */
  public final class PageSeries {
    private final NewSection section;
    private final boolean isIndexed;

    /** The pages whose values are in no written index yet, by their places in the next one. */
    private final List<PageMeta> indexed = new ArrayList<>();

    private PageSeries(NewSection section, boolean isIndexed) {
      this.section = section;
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
        PageMeta meta = section.put(row, number, page, group, NameRanges.of(part));
        made.add(meta);
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
        section.putIndex(first, nextNumber++, values.toBytes(), numbers);
      }
      values.clear();
      indexed.clear();
    }

    /** Ends the series with the index of its last pages. */
    public void end() throws IOException {
      putIndex();
    }
  }
}
