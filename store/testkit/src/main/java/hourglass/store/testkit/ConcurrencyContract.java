package hourglass.store.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TimeUuid;
import hourglass.store.CountQuery;
import hourglass.store.Limitation;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import hourglass.store.Slice;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Any number of threads may write and read. A mutation is visible whole or not at all (large ones
 * unless {@link Limitation#SPLITS_LARGE_WRITES}). Every read after its acknowledgement sees it.
 */
interface ConcurrencyContract extends StoreFixture {
  int WRITERS = 4;
  int MUTATIONS = 25;
  int COLUMNS = 6;

  /**
   * The mutations of a test.
   *
   * @param columns per mutation, spread over the hour so that mutations overlap
   * @param payloadBytes minimum size of each payload
   * @param whole whether a reader must never see a part of a mutation
   */
  record Shape(int mutations, int columns, int payloadBytes, boolean whole) {
    private List<Column> columnsOf(int mutation) {
      long step = Ticks.PER_HOUR / columns;
      String payload = mutation + " ".repeat(payloadBytes);
      return IntStream.range(0, columns)
          .mapToObj(
              i -> new Column(TimeUuid.first(HOUR.startTicks() + i * step + mutation), payload))
          .toList();
    }
  }

  @Test
  default void readersSeeWholeMutationsOfARow() {
    writeAndReadSideBySide(new Shape(MUTATIONS, COLUMNS, 0, true));
  }

  /** Writes mutations of some 400 KB each, which an engine may send as several requests. */
  @Test
  default void largeMutationsOfARowAreWholeOnceAcknowledged() {
    writeAndReadSideBySide(new Shape(3, 100, 4 << 10, can(Limitation.SPLITS_LARGE_WRITES)));
  }

  private void writeAndReadSideBySide(Shape shape) {
    AtomicBoolean writing = new AtomicBoolean(true);
    Callable<Integer> reader =
        repeating(
            writing,
            () -> {
              for (Order order : Order.values()) {
                assertMutations(shape, order);
              }
            });
    List<Callable<Integer>> writers =
        writers(writer -> writeMutations(shape, writer * shape.mutations()));
    Callable<Integer> allWriters =
        ending(writing, () -> runAll(writers).stream().mapToInt(Integer::intValue).sum());
    assertThat(runAll(List.of(allWriters, reader, reader))).doesNotContain(0);
    int columns = WRITERS * shape.mutations() * shape.columns();
    assertThat(store().read(ROW)).hasSize(columns);
    assertThat(store().count(CountQuery.all(ROW)).columns()).isEqualTo(columns);
  }

  @Test
  default void noMatchIsMissedWhileRowsAreWrittenAndSealed() {
    RowKey matching = new RowKey(HOUR, "matching", 0);
    store().write(matching, StoreFixture.column(1, "a zeppelin"));
    AtomicBoolean writing = new AtomicBoolean(true);
    Callable<Integer> reader =
        repeating(
            writing,
            () ->
                assertThat(
                        store().mayMatch(store().rows(HOUR), NumberFilter.text("zeppelin")).stream()
                            .map(RowEntry::row))
                    .contains(matching));
    Callable<Integer> writer =
        ending(
            writing,
            () -> {
              for (int i = 0; i < MUTATIONS; i++) {
                store().write(matching, StoreFixture.column(2 + i, "other"));
                store().write(ROW.typeHour().row(i), StoreFixture.column(i, "other"));
                if (i % 5 == 0 && can(Limitation.NEVER_SEALS)) {
                  sealNow();
                }
              }
              return MUTATIONS;
            });
    assertThat(runAll(List.of(writer, reader, reader))).doesNotContain(0);
  }

  /** Repeats work, at least once, until the writing ends; returns how often. */
  private static Callable<Integer> repeating(AtomicBoolean writing, Runnable work) {
    return () -> {
      int times = 0;
      do {
        work.run();
        times++;
      } while (writing.get());
      return times;
    };
  }

  private static Callable<Integer> ending(AtomicBoolean writing, Callable<Integer> work) {
    return () -> {
      try {
        return work.call();
      } finally {
        writing.set(false);
      }
    };
  }

  private static List<Callable<Integer>> writers(IntUnaryOperator write) {
    return IntStream.range(0, WRITERS)
        .<Callable<Integer>>mapToObj(writer -> () -> write.applyAsInt(writer))
        .toList();
  }

  private int writeMutations(Shape shape, int first) {
    for (int mutation = first; mutation < first + shape.mutations(); mutation++) {
      List<Column> columns = shape.columnsOf(mutation);
      store().write(ROW, columns);
      assertThat(store().read(ROW)).containsAll(columns);
    }
    return shape.mutations();
  }

  private static Set<Integer> mutationsIn(List<Column> columns) {
    return columns.stream()
        .map(column -> Integer.valueOf(column.payload().strip()))
        .collect(Collectors.toSet());
  }

  /** Every mutation must have all or none of its columns in the range that one slice covered. */
  private void assertMutations(Shape shape, Order order) {
    Slice slice =
        store()
            .slice(new SliceQuery(ROW, WHOLE_HOUR, order, BlockingStore.ALL, Projection.COLUMNS));
    List<Column> seen = Column.unpack(slice.columns());
    List<Column> expected =
        mutationsIn(seen).stream()
            .flatMap(mutation -> shape.columnsOf(mutation).stream())
            .filter(column -> covered(slice, order, column.name()))
            .toList();
    if (shape.whole()) {
      assertThat(seen).containsExactlyInAnyOrderElementsOf(expected);
    } else {
      assertThat(new HashSet<>(expected)).containsAll(seen);
    }
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
  default void acknowledgedWriteIsVisibleAtOnce() {
    assertThat(runAll(writers(this::writeAndReadManyRows))).hasSize(WRITERS);
    assertThat(store().rows(HOUR)).hasSize(WRITERS * MUTATIONS + 1);
    assertThat(store().count(CountQuery.all(ROW)).columns()).isEqualTo(WRITERS * MUTATIONS);
  }

  /** One row is of this writer, the other one of all writers. */
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
    List<Callable<Integer>> writers =
        writers(
            writer -> {
              for (Column column : StoreFixture.seconds(0, MUTATIONS)) {
                store().write(ROW, column.withPayload("payload " + writer));
              }
              return MUTATIONS;
            });
    assertThat(runAll(writers)).hasSize(WRITERS);
    String largest = "payload " + (WRITERS - 1);
    assertThat(store().read(ROW))
        .isEqualTo(
            StoreFixture.seconds(0, MUTATIONS).stream().map(c -> c.withPayload(largest)).toList());
    assertThat(store().count(CountQuery.all(ROW)).columns()).isEqualTo(MUTATIONS);
  }

  @Test
  default void sealingDuringWritesLosesNothing() {
    if (!can(Limitation.NEVER_SEALS)) {
      return;
    }
    AtomicBoolean writing = new AtomicBoolean(true);
    Callable<Integer> sealer = repeating(writing, this::sealNow);
    Callable<Integer> writer =
        ending(writing, () -> writeMutations(new Shape(MUTATIONS, COLUMNS, 0, true), 0));
    assertThat(runAll(List.of(writer, sealer))).doesNotContain(0);
    sealNow();
    assertThat(store().read(ROW)).hasSize(MUTATIONS * COLUMNS);
    assertThat(store().entry(ROW).sealed()).isTrue();
    assertThat(store().entry(ROW).columns()).isEqualTo(MUTATIONS * COLUMNS);
  }

  private static <T> List<T> runAll(List<? extends Callable<T>> tasks) {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      List<T> results = new ArrayList<>();
      for (Future<T> done : threads.invokeAll(tasks)) {
        results.add(done.get());
      }
      return results;
    } catch (ExecutionException e) {
      throw new AssertionError("in another thread: " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    } finally {
      threads.shutdownNow();
    }
  }
}
