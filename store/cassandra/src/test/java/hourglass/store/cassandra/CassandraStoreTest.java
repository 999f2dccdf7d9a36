package hourglass.store.cassandra;

import hourglass.bucketing.Hour;
import hourglass.store.WideColumnStore;
import hourglass.store.testkit.WideColumnStoreContract;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** The engine keeps the contract while the hour of most tests runs, so that rows are told late. */
class CassandraStoreTest extends WideColumnStoreContract {
  private final TestClock clock = new TestClock();

  private final String keyspace = "t" + Long.toString(System.nanoTime(), 36);

  @Override
  protected WideColumnStore open() {
    CassandraOptions options =
        CassandraOptions.builder()
            .contactPoints(List.of("127.0.0.21:9542"))
            .keyspace(keyspace)
            .sealAfter(Duration.ZERO)
            .trustFor(Duration.ofMillis(50))
            .build();
    return CassandraStore.open(options, clock, new SimpleMeterRegistry());
  }

  @Override
  protected void seal(WideColumnStore opened) {
    clock.set(Hour.LAST.end().plus(Duration.ofDays(1)));
    ((CassandraStore) opened).sealNow().toCompletableFuture().join();
    clock.set(TestClock.START);
  }
}
