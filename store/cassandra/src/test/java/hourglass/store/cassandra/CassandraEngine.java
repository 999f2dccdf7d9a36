package hourglass.store.cassandra;

import hourglass.bucketing.Hour;
import hourglass.store.WideColumnStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;

/** A store of a keyspace, for a contract: emptied before its first use, and sealed at will. */
final class CassandraEngine {
  /** A time at which all hours but the last of the contract are over. */
  static final Instant ALL_OVER = Instant.parse("2027-01-01T00:00:00Z");

  private static final Duration GRACE = Duration.ofHours(1);

  private final String keyspace;
  private final Instant start;
  private final RunningClock clock;

  /** Added to the monotonic clock. */
  private final AtomicLong ahead = new AtomicLong();

  private boolean emptied;
  private int seals;

  CassandraEngine(String keyspace, Instant start) {
    this.keyspace = keyspace;
    this.start = start;
    this.clock = new RunningClock(start);
  }

  WideColumnStore open() {
    CassandraOptions options =
        OneNode.options(keyspace)
            .sealAfter(Duration.ZERO)
            .trustFor(Duration.ofMillis(20))
            .eraseAfter(Duration.ofMillis(400))
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
      OneNode.truncate(keyspace + ".erasures");
      // The store may have seen the erasures of the last test just before.
      Awaitility.await()
          .until(() -> store.erasures().current().toCompletableFuture().join().isEmpty());
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

  void seal(WideColumnStore opened) {
    // Each later than the last, so that rows written meanwhile are quiet.
    clock.set(Hour.LAST.end().plus(Duration.ofDays(1 + seals++)));
    ahead.addAndGet(GRACE.toNanos());
    ((CassandraStore) opened).sealNow().toCompletableFuture().join();
    clock.set(start);
  }
}
