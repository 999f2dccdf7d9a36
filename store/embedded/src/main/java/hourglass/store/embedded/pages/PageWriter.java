package hourglass.store.embedded.pages;

import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.NameRanges;
import hourglass.store.pages.PageCodec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

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
  private long nextPage;

  /** Page numbers are unique: a first log segment never repeats. */
  public PageWriter(long firstSegment) {
    nextPage = firstSegment << Integer.SIZE;
  }

  /** The pages count after {@link PageFiles#commit}. */
  public List<PageMeta> put(PageFiles files, RowKey row, Columns columns, long group)
      throws IOException {
    List<PageMeta> pages = new ArrayList<>();
    int from = 0;
    while (from < columns.size()) {
      int to = PageCodec.end(columns, from);
      Columns part = columns.subColumns(from, to);
      NameRanges names = NameRanges.of(part);
      pages.add(files.put(row, nextPage++, codec.encode(part), group, names));
      from = to;
    }
    return pages;
  }

  public PageMeta putAgain(PageFiles files, PageMeta page, byte[] bytes) throws IOException {
    return files.put(page.row(), nextPage++, bytes, page.group(), page.names());
  }
}
