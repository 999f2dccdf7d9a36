package hourglass.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.store.LateArrivalPlace;
import hourglass.store.LateArrivals;
import hourglass.store.testkit.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Writers have correct clocks. So a reader whose clock was ahead has missed records: its answer is
 * truncated, and it continues from the present time.
 */
class ClockSetBackTest {
  private static final String KEYSPACE = OneNode.freshKeyspace();
  private static final Duration SETTLE = Duration.ofSeconds(2);

  private final TestClock clock = new TestClock();
  private final CassandraStore store =
      OneNode.open(OneNode.options(KEYSPACE).settle(SETTLE).build(), clock);

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void aReaderAheadOfTheClockIsTruncated() {
    clock.pass(Duration.ofHours(2));
    LateArrivalPlace ahead = at(LateArrivalPlace.NEWEST).settledEnd();
    clock.pass(Duration.ofHours(-2));
    LateArrivals now = at(ahead);
    assertThat(now.truncated()).isTrue();
    assertThat(at(LateArrivalPlace.NEWEST).settledEnd()).isLessThan(ahead);
    clock.pass(Duration.ofHours(3));
    assertThat(at(ahead).truncated()).isFalse();
  }

  @Test
  void settledTicksDoNotMoveBackWithinTheClockSkew() {
    LateArrivals before = at(LateArrivalPlace.NEWEST);
    clock.pass(SETTLE.dividedBy(4).negated());
    LateArrivals now = at(before.settledEnd());
    assertThat(now.truncated()).isFalse();
    assertThat(now.settledTicks()).isEqualTo(before.settledTicks());
  }

  private LateArrivals at(LateArrivalPlace place) {
    return store.lateArrivals(place, 100).toCompletableFuture().join();
  }
}
