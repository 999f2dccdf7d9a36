package hourglass.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.CountQuery;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Any number of threads may write and read. A mutation of a row is seen whole or not at all, and
 * what was acknowledged is seen by whoever asks afterwards.
 */
interface ConcurrencyContract extends StoreFixture {
  int WRITERS = 4;
  int MUTATIONS = 25;
  int COLUMNS = 6;

  @Test
  default void readersSeeWholeMutationsOfARow() {
    AtomicBoolean writing = new AtomicBoolean(true);
    Callable<Integer> reader =
        () -> {
          int slices = 0;
          do {
            for (Order order : Order.values()) {
              assertWholeMutations(order);
              slices++;
            }
          } while (writing.get());
          return slices;
        };
    List<Callable<Integer>> writers = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      int first = writer * MUTATIONS;
      writers.add(() -> writeMutations(first));
    }
    Callable<Integer> allWriters =
        () -> {
          try {
            return Threads.runAll(writers).stream().mapToInt(Integer::intValue).sum();
          } finally {
            writing.set(false);
          }
        };
    assertThat(Threads.runAll(List.of(allWriters, reader, reader))).doesNotContain(0);
    assertThat(store().read(ROW)).hasSize(WRITERS * MUTATIONS * COLUMNS);
    assertThat(store().count(CountQuery.all(ROW)).columns())
        .isEqualTo(WRITERS * MUTATIONS * COLUMNS);
  }

  private int writeMutations(int first) {
    for (int mutation = first; mutation < first + MUTATIONS; mutation++) {
      store().write(ROW, columnsOf(mutation));
      assertThat(mutationsIn(store().read(ROW))).contains(mutation);
    }
    return MUTATIONS;
  }

  /** Columns that lie far apart in the row, so that those of all mutations are mixed. */
  private static List<Column> columnsOf(int mutation) {
    return IntStream.range(0, COLUMNS)
        .mapToObj(i -> HOUR.startTicks() + i * 10L * Ticks.PER_MINUTE + mutation)
        .map(ticks -> new Column(TimeUuid.first(ticks), Integer.toString(mutation)))
        .toList();
  }

  private static Set<Integer> mutationsIn(List<Column> columns) {
    return columns.stream()
        .map(column -> Integer.valueOf(column.payload()))
        .collect(Collectors.toSet());
  }

  /** In the part of the row that one slice covered, every mutation has all its columns or none. */
  private void assertWholeMutations(Order order) {
    Slice slice =
        store()
            .slice(new SliceQuery(ROW, WHOLE_HOUR, order, BlockingStore.ALL, Projection.COLUMNS));
    List<Column> seen = Column.unpack(slice.columns());
    List<Column> expected =
        mutationsIn(seen).stream()
            .flatMap(mutation -> columnsOf(mutation).stream())
            .filter(column -> covered(slice, order, column.name()))
            .toList();
    assertThat(seen).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static boolean covered(Slice slice, Order order, TimeUuid name) {
    if (!slice.more()) {
      return true;
    }
    return order == Order.ASCENDING
        ? name.compareTo(slice.columns().last()) <= 0
        : name.compareTo(slice.columns().first()) >= 0;
  }

  @Test
  default void whatWasAcknowledgedIsSeenAtOnce() {
    List<Callable<Integer>> writers = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      int number = writer;
      writers.add(() -> writeAndReadManyRows(number));
    }
    assertThat(Threads.runAll(writers)).hasSize(WRITERS);
    assertThat(store().rows(HOUR)).hasSize(WRITERS * MUTATIONS + 1);
    assertThat(store().count(CountQuery.all(ROW)).columns()).isEqualTo(WRITERS * MUTATIONS);
  }

  /** Each write goes to a row of its own and to one that all writers share. */
  private int writeAndReadManyRows(int writer) {
    for (int i = 0; i < MUTATIONS; i++) {
      int number = writer * MUTATIONS + i;
      RowKey own = new RowKey(HOUR, "writer " + writer, i);
      Column column = StoreFixture.column(number, "of writer " + writer);
      store()
          .write(
              List.of(
                  new Mutation(own, Column.pack(List.of(column))),
                  new Mutation(ROW, Column.pack(List.of(column)))));
      assertThat(store().read(own)).containsExactly(column);
      assertThat(store().read(ROW)).contains(column);
      assertThat(store().rowKeys(HOUR)).contains(own, ROW);
    }
    return MUTATIONS;
  }

  @Test
  default void writersOfTheSameNamesAgree() {
    List<Callable<Integer>> writers = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      String payload = "payload " + writer;
      writers.add(
          () -> {
            for (Column column : StoreFixture.seconds(0, MUTATIONS)) {
              store().write(ROW, column.withPayload(payload));
            }
            return MUTATIONS;
          });
    }
    assertThat(Threads.runAll(writers)).hasSize(WRITERS);
    String largest = "payload " + (WRITERS - 1);
    assertThat(store().read(ROW))
        .isEqualTo(
            StoreFixture.seconds(0, MUTATIONS).stream().map(c -> c.withPayload(largest)).toList());
    assertThat(store().count(CountQuery.all(ROW)).columns()).isEqualTo(MUTATIONS);
  }

  @Test
  default void sealingRowsThatAreWrittenLosesNothing() {
    if (!can(hourglass.store.Limitation.NEVER_SEALS)) {
      return;
    }
    AtomicBoolean writing = new AtomicBoolean(true);
    Callable<Integer> sealer =
        () -> {
          int seals = 0;
          do {
            sealNow();
            seals++;
          } while (writing.get());
          return seals;
        };
    Callable<Integer> writer =
        () -> {
          try {
            return writeMutations(0);
          } finally {
            writing.set(false);
          }
        };
    assertThat(Threads.runAll(List.of(writer, sealer))).doesNotContain(0);
    sealNow();
    assertThat(store().read(ROW)).hasSize(MUTATIONS * COLUMNS);
    assertThat(store().entry(ROW).sealed()).isTrue();
    assertThat(store().entry(ROW).columns()).isEqualTo(MUTATIONS * COLUMNS);
  }
}
