package hourglass.store.rows;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.Columns;
import hourglass.store.ColumnsBuilder;
import hourglass.store.Order;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reads parts of which each has every third column of an hour, and so all overlap. */
class RowPartsReaderTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final RowKey ROW = new RowKey(HOUR, "orders", 0);
  private static final int COLUMNS = 3_000;
  private static final int PAYLOAD_BYTES = 400;
  private static final int SLICE_COLUMNS = 64;

  private final RowPartsReader reader = new RowPartsReader(0);
  private final RowParts<?> row = RowParts.of(List.of(part(0), part(1), part(2)));

  @ParameterizedTest
  @EnumSource
  void aSliceOfOverlappingPartsHoldsOnlyItsColumns(Order order) {
    Columns columns = reader.slice(row, query(order)).columns();
    assertThat(columns.size()).isEqualTo(SLICE_COLUMNS);
    assertThat(columns.memoryBytes()).isLessThan(3 * SLICE_COLUMNS * PAYLOAD_BYTES);
  }

  @ParameterizedTest
  @EnumSource
  void aSliceOfALargePartHoldsOnlyItsColumns(Order order) {
    Columns columns = reader.slice(one(), query(order)).columns();
    assertThat(columns.size()).isEqualTo(SLICE_COLUMNS);
    assertThat(columns.memoryBytes()).isLessThan(3 * SLICE_COLUMNS * PAYLOAD_BYTES);
  }

  @ParameterizedTest
  @EnumSource
  void aPartAlmostAsLargeAsASliceIsCutInHalf(Order order) {
    int columns = COLUMNS / 3;
    assertThat(slices(one(), query(order, columns))).containsExactly(columns);
    assertThat(slices(one(), query(order, columns - 1))).containsExactly(columns / 2, columns / 2);
    assertThat(slices(one(), query(order, columns * 2 / 3))).containsExactly(666, 334);
  }

  /** The columns of each. */
  private List<Integer> slices(RowParts<?> of, SliceQuery first) {
    List<Integer> sizes = new ArrayList<>();
    SliceQuery query = first;
    Slice slice;
    do {
      slice = reader.slice(of, query);
      sizes.add(slice.columns().size());
      query = slice.more() ? query.after(slice) : query;
    } while (slice.more());
    return sizes;
  }

  @ParameterizedTest
  @EnumSource
  void slicesOfOverlappingPartsCoverThemInOrder(Order order) {
    List<TimeUuid> names = new ArrayList<>();
    SliceQuery query = query(order);
    Slice slice;
    do {
      slice = reader.slice(row, query);
      List<TimeUuid> some =
          new ArrayList<>(
              IntStream.range(0, slice.columns().size()).mapToObj(slice.columns()::id).toList());
      if (order == Order.DESCENDING) {
        Collections.reverse(some);
      }
      names.addAll(some);
      query = slice.more() ? query.after(slice) : query;
    } while (slice.more());
    List<TimeUuid> all =
        new ArrayList<>(IntStream.range(0, COLUMNS).mapToObj(n -> name(n)).toList());
    if (order == Order.DESCENDING) {
      Collections.reverse(all);
    }
    assertThat(names).isEqualTo(all);
  }

  private static RowParts<?> one() {
    return RowParts.of(List.of(part(0)));
  }

  private static SliceQuery query(Order order) {
    return query(order, SLICE_COLUMNS);
  }

  private static SliceQuery query(Order order, int columnsMax) {
    return new SliceQuery(
        ROW, ColumnRange.of(HOUR), order, columnsMax, SliceQuery.Projection.COLUMNS);
  }

  private static TimeUuid name(int number) {
    return new TimeUuid(HOUR.startTicks() + number * Ticks.PER_SECOND, Long.MIN_VALUE);
  }

  private static StoredPart part(int remainder) {
    ColumnsBuilder columns = new ColumnsBuilder(COLUMNS / 3, COLUMNS / 3 * PAYLOAD_BYTES);
    for (int n = remainder; n < COLUMNS; n += 3) {
      TimeUuid name = name(n);
      columns.add(name.ticks(), name.lsb(), new byte[PAYLOAD_BYTES], 0, PAYLOAD_BYTES);
    }
    return new StoredPart(columns.build());
  }
}
