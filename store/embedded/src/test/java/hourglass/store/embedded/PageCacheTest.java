package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static hourglass.store.embedded.TestStore.HOUR;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.RowKey;
import hourglass.store.ColumnRange;
import hourglass.store.Order;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.embedded.disk.StoreFiles;
import hourglass.store.embedded.pages.PageFiles;
import hourglass.store.embedded.pages.PageWriter;
import hourglass.store.embedded.pages.WrittenPages;
import hourglass.store.embedded.rows.Hours;
import hourglass.store.embedded.rows.PageRef;
import hourglass.store.embedded.rows.Row;
import hourglass.store.embedded.rows.RowContentReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reads a row of two pages, of which the second begins before the first one ends. */
class PageCacheTest {
  private static final RowKey ROW = new RowKey(HOUR, "checkout", 0);
  private static final int COLUMNS = 150;
  private static final int SLICE_COLUMNS = 7;

  private final PageWriter writer = new PageWriter(1);
  private final RowContentReader reader = new RowContentReader(1 << 20);
  private Hours hours;
  private Row row;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @BeforeEach
  void writePages() throws IOException {
    hours = TestStore.hours(temp, type -> StoreFiles.KEEP, Integer.MAX_VALUE, Integer.MAX_VALUE);
    hours.withWritten(HOUR, state -> state.row(ROW));
    row = hours.with(HOUR, state -> state.row(ROW));
    PageFiles files =
        hours.with(HOUR, state -> hours.byFiles(state, List.of(row)).keySet().iterator().next());
    put(files, 0, 100, 1);
    put(files, 50, COLUMNS, 2);
  }

  private void put(PageFiles files, int from, int to, long group) throws IOException {
    WrittenPages pages = writer.put(files, ROW, columns(ROW, from, to).columns(), group);
    files.commit(pages, List.of());
    List<PageRef> refs = pages.pages().stream().map(page -> new PageRef(files, page)).toList();
    row.update(content -> content.flushed(group, refs));
  }

  @AfterEach
  void close() throws IOException {
    hours.close();
  }

  @ParameterizedTest
  @EnumSource
  void pagesLeaveTheCacheAtTheirEnd(Order order) {
    SliceQuery query =
        new SliceQuery(ROW, ColumnRange.of(HOUR), order, SLICE_COLUMNS, Projection.COLUMNS);
    int read = 0;
    for (Slice slice = next(query); slice.more(); slice = next(query)) {
      read += slice.columns().size();
      query = query.after(slice);
      assertThat(reader.cachedBytes()).as("%s columns read", read).isPositive();
    }
    assertThat(read).isBetween(COLUMNS - SLICE_COLUMNS, COLUMNS - 1);
    assertThat(reader.cachedBytes()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aPageReadInPartStays(Order order) {
    SliceQuery query =
        new SliceQuery(ROW, ColumnRange.of(HOUR), order, SLICE_COLUMNS, Projection.COLUMNS);
    next(query);
    long bytes = reader.cachedBytes();
    assertThat(bytes).isPositive();
    next(query);
    assertThat(reader.cachedBytes()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsReadBetweenTwoNames(Projection projection) {
    ColumnRange between =
        new ColumnRange(NumberedColumns.name(HOUR, 60).successor(), NumberedColumns.name(HOUR, 61));
    for (Order order : Order.values()) {
      Slice slice = next(new SliceQuery(ROW, between, order, SLICE_COLUMNS, projection));
      assertThat(slice.columns().isEmpty()).isTrue();
      assertThat(slice.more()).isFalse();
    }
  }

  private Slice next(SliceQuery query) {
    return reader.slice(row.content(), query);
  }
}
