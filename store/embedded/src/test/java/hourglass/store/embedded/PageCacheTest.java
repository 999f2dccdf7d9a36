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
import hourglass.store.rows.RowPartsReader;
import java.io.IOException;
import java.nio.file.Path;
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

  private final RowPartsReader reader = new RowPartsReader(1 << 20);
  private PagedRow row;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @BeforeEach
  void writePages() throws IOException {
    row = new PagedRow(temp, ROW);
    row.put(columns(ROW, 0, 100).columns());
    row.put(columns(ROW, 50, COLUMNS).columns());
  }

  @AfterEach
  void close() throws IOException {
    row.close();
  }

  @ParameterizedTest
  @EnumSource
  void pagesLeaveTheCacheAfterTheirLastColumn(Order order) {
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
  void aPartlyReadPageStaysInTheCache(Order order) {
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
  void aRangeBetweenTwoNamesIsEmpty(Projection projection) {
    ColumnRange between =
        new ColumnRange(NumberedColumns.name(HOUR, 60).successor(), NumberedColumns.name(HOUR, 61));
    for (Order order : Order.values()) {
      Slice slice = next(new SliceQuery(ROW, between, order, SLICE_COLUMNS, projection));
      assertThat(slice.columns().isEmpty()).isTrue();
      assertThat(slice.more()).isFalse();
    }
  }

  private Slice next(SliceQuery query) {
    return reader.slice(row.content().rowParts(), query);
  }
}
