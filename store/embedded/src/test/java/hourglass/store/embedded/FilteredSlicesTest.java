package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static hourglass.store.embedded.NumberedColumns.name;
import static hourglass.store.embedded.TestStore.HOUR;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.bytes.Spans;
import hourglass.store.ColumnRange;
import hourglass.store.FieldFilter;
import hourglass.store.Order;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import hourglass.store.rows.RowPartsReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reads a row of many pages through a filter that keeps a few columns of each. */
class FilteredSlicesTest {
  private static final RowKey ROW = new RowKey(HOUR, "checkout", 0);
  private static final int PAGES = 40;
  private static final int PAGE_COLUMNS = 100;
  private static final int COLUMNS = PAGES * PAGE_COLUMNS;

  private final RowPartsReader reader = new RowPartsReader(1 << 20);
  private PagedRow row;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @BeforeEach
  void writePages() throws IOException {
    row = new PagedRow(temp, ROW);
    for (int from = 0; from < COLUMNS; from += PAGE_COLUMNS) {
      row.put(columns(ROW, from, from + PAGE_COLUMNS, FilteredSlicesTest::payload).columns());
    }
  }

  private static byte[] payload(int n) {
    return "{\"n\":%d}".formatted(n).getBytes(UTF_8);
  }

  @AfterEach
  void close() throws IOException {
    row.close();
  }

  @ParameterizedTest
  @EnumSource
  void everyPageIsReadOnce(Order order) {
    EveryNth tenth = new EveryNth(10);
    assertThat(read(order, COLUMNS, tenth)).isEqualTo(expected(order, tenth));
    assertThat(tenth.pagesRead).isEqualTo(PAGES);
  }

  @ParameterizedTest
  @EnumSource
  void aPageSharedBySlicesIsReadOnce(Order order) {
    EveryNth tenth = new EveryNth(10);
    assertThat(read(order, 7, tenth)).isEqualTo(expected(order, tenth));
    assertThat(tenth.pagesRead).isEqualTo(PAGES);
    assertThat(reader.cachedBytes()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aReaderOfTheFirstColumnsReadsOnePage(Order order) {
    EveryNth tenth = new EveryNth(10);
    SliceQuery.Filter first = new SliceQuery.Filter(tenth, ColumnRange.of(HOUR), false);
    Slice slice =
        reader.slice(row.content().rowParts(), query(order, COLUMNS, tenth).withFilter(first));
    assertThat(slice.columns().size()).isEqualTo(PAGE_COLUMNS / 10);
    assertThat(tenth.pagesRead).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void aSliceContainsTheColumnsOfSeveralPages(Order order) {
    SliceQuery query = query(order, COLUMNS, new EveryNth(PAGE_COLUMNS));
    Slice slice = reader.slice(row.content().rowParts(), query);
    assertThat(slice.columns().size()).isBetween(2, PAGES - 1);
    assertThat(slice.more()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void noColumnIsLostAtTheEndOfASlice(Order order) {
    for (int columnsMax : new int[] {1, 2, 7, 9, 10, 11, 400, COLUMNS}) {
      for (int n : new int[] {2, 10, 97, 100, 450, COLUMNS}) {
        EveryNth filter = new EveryNth(n);
        assertThat(read(order, columnsMax, filter))
            .as("every %s. column, %s a slice", n, columnsMax)
            .isEqualTo(expected(order, filter));
      }
    }
  }

  private List<TimeUuid> read(Order order, int columnsMax, FieldFilter filter) {
    List<TimeUuid> names = new ArrayList<>();
    SliceQuery query = query(order, columnsMax, filter);
    Slice slice;
    do {
      slice = reader.slice(row.content().rowParts(), query);
      assertThat(slice.columns().size()).isLessThanOrEqualTo(columnsMax);
      names.addAll(
          inOrder(
              order,
              IntStream.range(0, slice.columns().size()).mapToObj(slice.columns()::id).toList()));
      query = slice.more() ? query.after(slice) : query;
    } while (slice.more());
    return names;
  }

  private static List<TimeUuid> expected(Order order, EveryNth filter) {
    return inOrder(
        order,
        IntStream.range(0, COLUMNS)
            .filter(number -> number % filter.n == 0)
            .mapToObj(number -> name(HOUR, number))
            .toList());
  }

  private static List<TimeUuid> inOrder(Order order, List<TimeUuid> ascending) {
    List<TimeUuid> names = new ArrayList<>(ascending);
    if (order == Order.DESCENDING) {
      Collections.reverse(names);
    }
    return names;
  }

  private static SliceQuery query(Order order, int columnsMax, FieldFilter filter) {
    ColumnRange hour = ColumnRange.of(HOUR);
    return new SliceQuery(ROW, hour, order, columnsMax, Projection.COLUMNS)
        .withFilter(new SliceQuery.Filter(filter, hour));
  }

  /** Keeps the columns whose field {@code n} is a multiple of a number. */
  private static final class EveryNth implements FieldFilter {
    private static final int VALUE_AT = "{\"n\":".length();

    private final int n;

    /** A page is searched for the field once, as its payloads are of one shape. */
    private int pagesRead;

    EveryNth(int n) {
      this.n = n;
    }

    @Override
    public Spans find(byte[] payload, int from, int to) {
      pagesRead++;
      return Spans.of(from + VALUE_AT, to - 1);
    }

    @Override
    public boolean mayMatch(byte[] bytes, Spans places) {
      return Integer.parseInt(
                  new String(bytes, places.start(0), places.end(0) - places.start(0), UTF_8))
              % n
          == 0;
    }
  }
}
