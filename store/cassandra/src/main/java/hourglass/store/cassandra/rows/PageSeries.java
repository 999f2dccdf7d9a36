package hourglass.store.cassandra.rows;

import hourglass.store.Columns;
import hourglass.store.pages.PageCodec;
import hourglass.store.rows.ValueIndexWriter;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Divides the columns of a row into pages, in the order of their names, and adds an index of up to
 * {@link SealIndex#PAGES_MAX} of them at a time. Used by one thread.
 */
final class PageSeries implements AutoCloseable {
  private final Consumer<Pack> sink;
  private final int pageColumns;
  private final PageCodec codec = new PageCodec();
  private final ValueIndexWriter index;

  /** The columns of the next page, perhaps not all of them. */
  private Columns rest = Columns.EMPTY;

  /** The last page of the index, which waits for it; null if the index has no pages. */
  private @Nullable Pack last;

  /** Creates a series. {@code sink} gets each page once it is complete. */
  PageSeries(Consumer<Pack> sink) {
    this(sink, PageCodec.PAGE_COLUMNS, SealIndex.PAGES_MAX);
  }

  /**
   * Creates a series, in a test of smaller pages and indexes.
   *
   * @param pageColumns the most columns of a page
   * @param indexPages the most pages of an index
   */
  PageSeries(Consumer<Pack> sink, int pageColumns, int indexPages) {
    this.sink = sink;
    this.pageColumns = pageColumns;
    this.index = new ValueIndexWriter(indexPages);
  }

  /** Adds columns after all those of earlier calls. */
  void add(Columns columns) {
    Columns all = rest.isEmpty() ? columns : Columns.merge(List.of(rest, columns));
    int from = 0;
    while (from < all.size()) {
      int to = Math.min(PageCodec.end(all, from), from + pageColumns);
      if (to == all.size()) {
        break;
      }
      put(all.subColumns(from, to));
      from = to;
    }
    rest = all.subColumns(from, all.size()).compact();
  }

  /** Ends the series with its last page. */
  void end() {
    if (!rest.isEmpty()) {
      put(rest);
    }
    endIndex();
  }

  private void put(Columns columns) {
    if (index.isFull()) {
      endIndex();
    }
    int before = index.pages();
    Pack page = PackCodec.sealedPage(columns, codec, index);
    if (index.pages() == before) { // such a page has a filter of its own, or none
      endIndex();
      sink.accept(page);
      return;
    }
    if (last != null) {
      sink.accept(last);
    }
    last = page;
  }

  private void endIndex() {
    if (last != null) {
      sink.accept(last.with(index.toBytes()));
      last = null;
      index.clear();
    }
  }

  @Override
  public void close() {
    codec.close();
    index.close();
  }
}
