package hourglass.store.embedded;

import static hourglass.store.embedded.NumberedColumns.columns;
import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.Order;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Points are taken of a store in which rows are written, flushed, sealed and merged all the time.
 */
class BackupUnderLoadTest extends BackupTests {
  private static final int ROWS = 6;

  private final AtomicBoolean isOver = new AtomicBoolean();
  private final List<CompletableFuture<Void>> load = new ArrayList<>();

  /** The events that were acknowledged, one after the other. */
  private final AtomicInteger acknowledged = new AtomicInteger();

  @AfterEach
  void endLoad() {
    isOver.set(true);
    load.forEach(CompletableFuture::join);
  }

  private void always(Runnable task) {
    load.add(
        CompletableFuture.runAsync(
            () -> {
              while (!isOver.get()) {
                task.run();
              }
            },
            each -> new Thread(each).start()));
  }

  private static RowKey row(int number) {
    return new RowKey(new Hour(HOUR.epochHours() + number % 3), "type" + number % 2, 0);
  }

  private void writeNext() {
    int next = acknowledged.get();
    int at = next / ROWS;
    Expectation.await(store.engine().write(List.of(columns(row(next % ROWS), at, at + 1))));
    acknowledged.incrementAndGet();
  }

  @Test
  void eachPointHasAllThatWasAcknowledgedBefore() throws IOException {
    always(this::writeNext);
    always(
        () -> {
          store.seal();
          store.retain();
        });
    for (int round = 0; round < Chance.rounds(8, 50, 500); round++) {
      int before = acknowledged.get();
      backup();
      int after = acknowledged.get();
      assertThat(verify().damages()).isZero();
      restored = temp.resolve("restored" + round);
      assertThat(restore(null).events()).isBetween((long) before, (long) after + 1);
      assertThat(findings).isEmpty();
      try (EmbeddedStore other = openRestored()) {
        for (int number = 0; number < ROWS; number++) {
          assertThat(events(other, row(number)))
              .as("events of %s", row(number))
              .isGreaterThanOrEqualTo((before + ROWS - 1 - number) / ROWS);
        }
      }
      TestStore.delete(restored);
    }
  }

  private static int events(EmbeddedStore other, RowKey row) {
    return Expectation.read(other, row, Order.ASCENDING).stream()
        .mapToInt(columns -> columns.size())
        .sum();
  }
}
