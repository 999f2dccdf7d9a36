package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static hourglass.store.embedded.TestStore.HOUR;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Columns;
import hourglass.store.CountQuery;
import hourglass.store.Order;
import hourglass.store.RowEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hours and types of hours are dropped while others write to them and read them. */
class DropDuringUseTest {
  private static final RowKey KEPT = new RowKey(HOUR, "checkout", 0);
  private static final RowKey DROPPED = new RowKey(HOUR, "beat", 0);
  private static final RowKey NEXT = new RowKey(HOUR.next(), "beat", 0);
  private static final int ROUNDS = Chance.rounds(40, 200, 5_000);

  private final AtomicBoolean hasEnded = new AtomicBoolean();
  private TestStore store;

  @TempDir(factory = FastTempDir.class)
  Path temp;

  @BeforeEach
  void open() {
    store = new TestStore(temp, options -> options.sealAfter(Duration.ZERO));
    store.clock.set(HOUR.next().end().plus(Duration.ofDays(1)));
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void writesAndReadsGoOnAndNothingElseIsLost() throws IOException {
    CompletableFuture<Integer> writer = CompletableFuture.supplyAsync(this::writeToKept);
    CompletableFuture<Void> reader = CompletableFuture.runAsync(this::readAll);
    for (int round = 0; round < ROUNDS; round++) {
      Expectation.await(
          store.engine().write(List.of(columns(DROPPED, 0, 50), columns(NEXT, 0, 50))));
      if (round % 2 == 0) {
        store.flush();
      }
      if (round % 4 == 0) {
        store.seal();
      }
      Expectation.await(store.engine().drop(DROPPED.typeHour()));
      assertThat(count(DROPPED)).isZero();
      Expectation.await(store.engine().drop(NEXT.hour()));
      assertThat(count(NEXT)).isZero();
    }
    hasEnded.set(true);
    int written = writer.join();
    reader.join();
    assertThat(written).isPositive();
    assertThat(count(KEPT)).isEqualTo(written);
    store.kill();
    assertThat(count(KEPT)).isEqualTo(written);
    assertThat(store.rows(HOUR)).extracting(RowEntry::row).containsExactly(KEPT);
    assertThat(store.rows(NEXT.hour())).isEmpty();
  }

  private long count(RowKey row) {
    return Columns.merge(Expectation.read(store.engine(), row, Order.ASCENDING)).size();
  }

  /** Returns the number of columns that were acknowledged. */
  private int writeToKept() {
    int written = 0;
    while (!hasEnded.get()) {
      Expectation.await(store.engine().write(List.of(columns(KEPT, written, written + 3))));
      written += 3;
    }
    return written;
  }

  private void readAll() {
    while (!hasEnded.get()) {
      for (Hour hour : List.of(HOUR, NEXT.hour())) {
        for (RowEntry entry : store.rows(hour)) {
          Expectation.read(store.engine(), entry.row(), Order.DESCENDING);
          Expectation.await(store.engine().count(CountQuery.all(entry.row())));
        }
      }
    }
  }
}
