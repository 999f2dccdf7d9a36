package hourglass.store.cassandra;

import hourglass.bucketing.Hour;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.WideColumnStoreContract;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

abstract class CassandraContract extends WideColumnStoreContract {
  private static final Duration GRACE = Duration.ofHours(1);

  private final String keyspace;
  private final Instant start;
  private final RunningClock clock;

  /** Added to the monotonic clock. */
  private final AtomicLong ahead = new AtomicLong();

  private boolean emptied;
  private int seals;

  CassandraContract(String keyspace, Instant start) {
    this.keyspace = keyspace;
    this.start = start;
    this.clock = new RunningClock(start);
  }

  @Override
  protected WideColumnStore open() {
    CassandraOptions options =
        OneNode.options(keyspace)
            .sealAfter(Duration.ZERO)
            .trustFor(Duration.ofMillis(20))
            .replaceGrace(GRACE)
            .build();
    CassandraStore store =
        OneNode.connected(
            CassandraStore.open(
                options, clock, () -> System.nanoTime() + ahead.get(), new SimpleMeterRegistry()));
    if (!emptied) {
      empty(store);
      OneNode.truncate(keyspace + ".arrivals");
      OneNode.truncate(keyspace + ".first_times");
      emptied = true;
    }
    return store;
  }

  /** Drops hours and records, since a new keyspace takes seconds. */
  private static void empty(CassandraStore store) {
    for (Hour hour : store.hours(Hour.FIRST, Hour.LAST).toCompletableFuture().join()) {
      store.drop(hour).toCompletableFuture().join();
    }
  }

  @Override
  protected void seal(WideColumnStore opened) {
    // Each later than the last, so that rows written meanwhile are quiet.
    clock.set(Hour.LAST.end().plus(Duration.ofDays(1 + seals++)));
    ahead.addAndGet(GRACE.toNanos());
    ((CassandraStore) opened).sealNow().toCompletableFuture().join();
    clock.set(start);
  }
}
