package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static hourglass.store.embedded.TestStore.HOUR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import hourglass.bucketing.RowKey;
import hourglass.store.CountQuery;
import hourglass.store.Mutation;
import hourglass.store.OverloadedException;
import hourglass.store.RowEntry;
import hourglass.store.UnavailableException;
import hourglass.store.embedded.disk.Uninterrupted;
import hourglass.store.embedded.memory.MemoryBudget;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Columns that are not in a page stay within the memory budget. */
class MemoryBudgetTest {
  private static final RowKey ROW = new RowKey(HOUR, "checkout", 0);
  private static final long BUDGET = 4 << 20;

  private final CountDownLatch release = new CountDownLatch(1);
  private TestStore store;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @BeforeEach
  void open() {
    store = new TestStore(temp, options -> options.memoryBudgetBytes(BUDGET));
  }

  @AfterEach
  void close() {
    release.countDown();
    store.close();
  }

  /** Keeps the thread that writes pages waiting, as a slow disk would. */
  private void holdFlushing() {
    store.disk.failing =
        operation -> {
          if (operation.equals("force unfinished")) {
            Uninterrupted.await(release::await);
          }
          return false;
        };
  }

  private static Mutation kilobytes(int number, int kilobytes) {
    return columns(ROW, number, number + 1, n -> new byte[kilobytes << 10]);
  }

  @Test
  void writesBeyondTheBudgetAreRefusedUntilFlush() throws IOException {
    holdFlushing();
    int taken = 0;
    try {
      for (; taken < 1_000; taken++) {
        store.write(kilobytes(taken, 100));
        assertThat(store.openBytes()).isBetween((taken + 1) * 100L << 10, BUDGET);
      }
    } catch (OverloadedException e) {
      assertThat(e).hasMessageContaining(Long.toString(BUDGET));
      assertThat(e.retryAfter()).isPositive();
    }
    assertThat(taken).as("writes taken").isBetween(30, 40);
    long before = store.openBytes();
    int refused = taken;
    assertThatThrownBy(() -> store.write(kilobytes(refused, 100)))
        .isInstanceOf(OverloadedException.class);
    assertThat(store.openBytes()).as("memory after a refusal").isEqualTo(before);
    assertThat(count()).isEqualTo(taken);
    Path image = store.image();
    release.countDown();
    await()
        .ignoreExceptionsInstanceOf(OverloadedException.class)
        .untilAsserted(() -> store.write(kilobytes(2_000, 100)));
    store.flush();
    assertThat(store.openBytes()).isZero();
    assertThat(count()).isEqualTo(taken + 1);
    store.check();
    store.goOnFrom(image);
    assertThat(count()).as("after kill -9 in overload").isEqualTo(taken);
  }

  private long count() {
    return Expectation.await(store.engine().count(CountQuery.all(ROW))).columns();
  }

  @Test
  void concurrentWritesStayWithinTheBudget() {
    holdFlushing();
    List<CompletableFuture<Void>> flight = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      Mutation mutation = kilobytes(i, 20 + i % 3 * 40);
      flight.add(
          CompletableFuture.supplyAsync(() -> store.engine().write(List.of(mutation)))
              .thenCompose(done -> done)
              .handle(
                  (done, failure) -> {
                    if (failure == null) {
                      store.expectation.sent(List.of(mutation));
                      store.expectation.acknowledged(List.of(mutation));
                    }
                    return null;
                  }));
    }
    flight.forEach(Expectation::await);
    assertThat(store.openBytes()).isBetween(BUDGET / 2, BUDGET);
    assertThat(store.expectation.acknowledgedColumns()).isBetween(20, 399);
    store.check();
    release.countDown();
    store.flush();
    assertThat(store.openBytes()).isZero();
    store.check();
  }

  @Test
  void failedWritesReleaseTheirMemory() {
    store.disk.failing = operation -> operation.equals("write N.log");
    for (int i = 0; i < 100; i++) {
      int number = i;
      assertThatThrownBy(() -> store.write(kilobytes(number, 100)))
          .isInstanceOf(UnavailableException.class);
    }
    store.disk.failing = operation -> false;
    assertThat(store.openBytes()).isZero();
    store.write(kilobytes(500, 100));
    store.check();
  }

  /**
   * A reservation that does not fit must not be counted while it is refused, or others are refused
   * because of it.
   */
  @Test
  void aRefusedReservationBlocksNoOther() {
    MemoryBudget budget = new MemoryBudget(1_000);
    budget.reserve(20);
    CompletableFuture<Void> tooLarge =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < 200_000; i++) {
                try {
                  budget.reserve(990);
                  throw new AssertionError("it fits");
                } catch (OverloadedException e) {
                  continue;
                }
              }
            });
    while (!tooLarge.isDone()) {
      budget.reserve(100);
      if (budget.used() != 120) {
        assertThat(budget.used()).isEqualTo(120);
      }
      budget.release(100);
    }
    Expectation.await(tooLarge);
  }

  /** A restart recovers all acknowledged columns, even if the budget was lowered. */
  @Test
  void aLogLargerThanTheBudgetIsReplayed() throws IOException {
    store.close();
    try (TestStore large =
        new TestStore(temp.resolve("large"), options -> options.segmentBytes(16 << 20))) {
      for (int i = 0; i < 80; i++) {
        large.write(kilobytes(i, 100));
      }
      Path image = large.image();
      store.goOnFrom(image);
      large.expectation.check(store.engine());
      await()
          .ignoreExceptionsInstanceOf(OverloadedException.class)
          .untilAsserted(() -> store.write(kilobytes(2_000, 1)));
      store.flush();
      assertThat(store.openBytes()).isZero();
    }
  }

  @Test
  void aHugeRowStaysWithinTheBudget() throws IOException {
    int columns = 200_000;
    for (int from = 0; from < columns; from += 500) {
      List<Mutation> batch = List.of(columns(ROW, from, from + 500));
      writeOrFlushFirst(batch);
    }
    assertThat(count()).isEqualTo(columns);
    store.flush();
    assertThat(store.openBytes()).isZero();
    store.kill();
    assertThat(count()).isEqualTo(columns);
    assertThat(store.entry(ROW).columns()).isEqualTo(columns);
  }

  @Test
  void fiftyThousandTinyRowsStayWithinTheBudget() throws IOException {
    int rows = 50_000;
    for (int from = 0; from < rows; from += 1_000) {
      List<Mutation> batch =
          IntStream.range(from, from + 1_000).mapToObj(n -> columns(tiny(n), n, n + 1)).toList();
      writeOrFlushFirst(batch);
    }
    store.flush();
    assertThat(store.openBytes()).isZero();
    checkTinyRows(rows);
    store.kill();
    checkTinyRows(rows);
  }

  /** Writes, once pages are flushed if it does not fit now. */
  private void writeOrFlushFirst(List<Mutation> batch) {
    try {
      Expectation.await(store.engine().write(batch));
    } catch (OverloadedException e) {
      store.flush();
      Expectation.await(store.engine().write(batch));
    }
    assertThat(store.openBytes()).isLessThanOrEqualTo(BUDGET);
  }

  private static RowKey tiny(int number) {
    return new RowKey(HOUR, "tiny " + number, number % 3);
  }

  private void checkTinyRows(int rows) {
    List<RowEntry> entries = store.rows(HOUR);
    assertThat(entries).allMatch(entry -> entry.columns() == 1);
    List<RowKey> expected = IntStream.range(0, rows).mapToObj(MemoryBudgetTest::tiny).toList();
    assertThat(
            entries.stream()
                .map(RowEntry::row)
                .toList()
                .equals(expected.stream().sorted().toList()))
        .as("every row is listed, once")
        .isTrue();
  }
}
