package hourglass.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.TimeUuid;
import hourglass.store.ColumnRange;
import hourglass.store.ColumnsBuilder;
import hourglass.store.CountQuery;
import hourglass.store.Mutation;
import hourglass.store.Order;
import hourglass.store.Retention;
import hourglass.store.SliceQuery;
import hourglass.store.SliceQuery.Projection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Seals that come at the wrong moment, and what a cold reading feared of them. */
class SealRacesTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");
  private static final RowKey ROW = new RowKey(HOUR, "checkout", 0);
  private static final Instant OVER = Instant.parse("2026-11-20T10:00:00Z");

  private final String keyspace = OneNode.freshKeyspace();

  /** Runs a hook when the next seal asks it for a number. */
  private static final class HookedClock extends Clock {
    private volatile Instant now = OVER;
    private volatile @Nullable Runnable onNumber;

    @Override
    public Instant instant() {
      Runnable hook = onNumber;
      if (hook != null && isNumbering()) {
        onNumber = null;
        hook.run();
      }
      return now;
    }

    private static boolean isNumbering() {
      return StackWalker.getInstance()
          .walk(frames -> frames.anyMatch(frame -> frame.getMethodName().equals("nextNumber")));
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  private CassandraStore open(HookedClock clock, Duration retention) {
    return OneNode.open(
        OneNode.options(keyspace)
            .sealAfter(Duration.ZERO)
            .sealEvery(Duration.ofDays(1))
            .trustFor(Duration.ofMillis(20))
            .replaceGrace(Duration.ofMillis(40))
            .retention(Retention.of(retention, Map.of()))
            .build(),
        clock);
  }

  private static void write(CassandraStore store, int from, int count) {
    ColumnsBuilder pack = new ColumnsBuilder(count, count);
    for (int i = from; i < from + count; i++) {
      TimeUuid name = TimeUuid.first(HOUR.startTicks() + i);
      pack.add(name.ticks(), name.lsb(), new byte[] {'1'}, 0, 1);
    }
    store.write(List.of(new Mutation(ROW, pack.build()))).toCompletableFuture().join();
  }

  private static int size(CassandraStore store) {
    SliceQuery all =
        new SliceQuery(
            ROW, ColumnRange.of(HOUR), Order.ASCENDING, Integer.MAX_VALUE, Projection.COLUMNS);
    int size = store.slice(all).toCompletableFuture().join().columns().size();
    assertThat(store.count(CountQuery.all(ROW)).toCompletableFuture().join().columns())
        .isEqualTo(size);
    return size;
  }

  /** Until the packs of the row are deleted. */
  private void sealAndClean(CassandraStore store, HookedClock clock) {
    Awaitility.await()
        .pollInSameThread()
        .until(
            () -> {
              clock.now = clock.now.plusSeconds(60);
              store.sealNow().toCompletableFuture().join();
              return OneNode.rows(keyspace, "packs_") == 0;
            });
  }

  @Test
  void pagesStayNamedWhenTheRetentionChanged() {
    HookedClock clock = new HookedClock();
    try (CassandraStore longer = open(clock, Duration.ofDays(300))) {
      write(longer, 0, 100);
      sealAndClean(longer, clock);
      assertThat(size(longer)).isEqualTo(100);
    }
    try (CassandraStore shorter = open(clock, Duration.ofDays(200))) {
      write(shorter, 200, 1);
      assertThat(size(shorter)).isEqualTo(101);
      sealAndClean(shorter, clock);
      assertThat(size(shorter)).isEqualTo(101);
    }
  }

  @Test
  void aSealThatWasOvertakenIsGivenUp() throws InterruptedException {
    HookedClock slow = new HookedClock();
    HookedClock fast = new HookedClock();
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (CassandraStore a = open(slow, Retention.FOREVER);
        CassandraStore b = open(fast, Retention.FOREVER)) {
      write(b, 0, 100);
      slow.now = OVER.plusSeconds(60);
      slow.onNumber =
          () -> {
            reached.countDown();
            try {
              goOn.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          };
      CompletableFuture<Void> sealing = a.sealNow().toCompletableFuture();
      reached.await();
      sealAndClean(b, fast);
      write(b, 200, 1);
      slow.now = fast.now.plusSeconds(30);
      goOn.countDown();
      sealing.join();
      assertThat(size(b)).isEqualTo(101);
      sealAndClean(b, fast);
      assertThat(size(b)).isEqualTo(101);
    }
  }
}
