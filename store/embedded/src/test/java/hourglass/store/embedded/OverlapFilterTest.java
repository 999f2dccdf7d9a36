package hourglass.store.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.bucketing.TimeUuidGenerator;
import hourglass.bytes.Spans;
import hourglass.store.ColumnRange;
import hourglass.store.ColumnsBuilder;
import hourglass.store.CountQuery;
import hourglass.store.FieldFilter;
import hourglass.store.FieldQuery;
import hourglass.store.FieldValues;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two pages of pushes by turns, which overlap in time, and a filter. */
class OverlapFilterTest {
  private static final RowKey ROW = new RowKey(TestStore.HOUR, "orders", 0);
  private static final int COLUMNS = 1_000;

  @TempDir Path temp;
  private TestStore store;

  @BeforeEach
  void fill() throws Exception {
    store = new TestStore(temp, options -> options);
    for (int push = 0; push < 2; push++) {
      store.write(push(push, COLUMNS * push));
      store.flush();
    }
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void pagesWithoutACommonNameAreFiltered() throws Exception {
    Slice slice = slice();
    assertThat(slice.columns().size()).isEqualTo(2 * COLUMNS / 10);
    FieldValues values = values();
    assertThat(values.whole()).isEmpty();
    assertThat(IntStream.range(0, values.size()).map(values::count).sum())
        .isEqualTo(slice.columns().size());
    store.reopen();
    assertThat(slice().columns().size()).isEqualTo(2 * COLUMNS / 10);
  }

  @Test
  void pagesWithACommonNameAreReadWhole() throws Exception {
    store.write(push(0, COLUMNS / 2));
    store.flush();
    Slice slice = slice();
    assertThat(values().whole()).isNotEmpty();
    assertThat(slice.columns().size()).isGreaterThan(2 * COLUMNS);
  }

  /** Its names are numbers from {@code first} on, a second apart. */
  private static Mutation push(int offset, int first) {
    ColumnsBuilder columns = new ColumnsBuilder(COLUMNS, 16 * COLUMNS);
    for (int n = 0; n < COLUMNS; n++) {
      long ticks = TestStore.HOUR.startTicks() + (2L * n + offset) * Ticks.PER_SECOND;
      byte[] payload = "{\"n\":%d}".formatted(n % 10).getBytes(UTF_8);
      TimeUuid name = new TimeUuid(ticks, TimeUuidGenerator.lsb(first + n));
      columns.add(name.ticks(), name.lsb(), payload, 0, payload.length);
    }
    return new Mutation(ROW, columns.build());
  }

  private Slice slice() throws Exception {
    ColumnRange hour = ColumnRange.of(TestStore.HOUR);
    return store
        .engine()
        .slice(
            new SliceQuery(
                ROW,
                hour,
                Order.ASCENDING,
                8 * COLUMNS,
                Projection.COLUMNS,
                new SliceQuery.Filter(new Seven(), hour)))
        .toCompletableFuture()
        .get();
  }

  private FieldValues values() throws Exception {
    FieldQuery query = new FieldQuery(CountQuery.all(ROW), List.of(), new Seven());
    return store.engine().values(query).toCompletableFuture().get();
  }

  /** The only field of a payload is 7. */
  private record Seven() implements FieldFilter {
    @Override
    public @Nullable Spans find(byte[] payload, int from, int to) {
      return Spans.of(from + 5, to - 1);
    }

    @Override
    public boolean mayMatch(byte[] bytes, Spans places) {
      return places.end(0) - places.start(0) == 1 && bytes[places.start(0)] == '7';
    }

    @Override
    public boolean surelyMatches(byte[] bytes, Spans places) {
      return mayMatch(bytes, places);
    }
  }
}
