package hourglass.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.store.UnavailableException;
import hourglass.testing.ClosedPort;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A store without a cluster opens, and its calls fail with the reason. */
class AwayTest {
  @Test
  void theErrorNamesTheContactPoint() throws IOException {
    try (ClosedPort closed = new ClosedPort();
        CassandraStore store = open(closed)) {
      assertThat(reason(store)).contains(closed.address());
      assertThat(store.placement(new RowKey(Hour.FIRST, "checkout", 0))).isEmpty();
    }
  }

  /** Otherwise every attempt to connect would be logged. */
  @Test
  void everyAttemptHasTheSameError() throws IOException {
    try (ClosedPort closed = new ClosedPort()) {
      assertThat(reason(closed)).isEqualTo(reason(closed));
    }
  }

  private static CassandraStore open(ClosedPort away) {
    return CassandraStore.open(
        CassandraOptions.builder().contactPoints(List.of(away.address())).build(),
        Clock.systemUTC(),
        new SimpleMeterRegistry());
  }

  private static String reason(ClosedPort away) {
    try (CassandraStore store = open(away)) {
      return reason(store);
    }
  }

  /** Waits for the first attempt to fail, as it may take longer than the opening waits. */
  private static String reason(CassandraStore store) {
    return await()
        .until(
            () -> {
              Throwable e = store.check().handle((ok, why) -> why).toCompletableFuture().join();
              assertThat(e).isInstanceOf(UnavailableException.class);
              return e.getMessage();
            },
            reason -> !reason.contains("not connected yet"));
  }
}
