package hourglass.store.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.store.ArrivalPlace;
import hourglass.store.Arrivals;
import hourglass.store.testkit.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Writers go by clocks that are right. So a reader whose clock was ahead has missed their notes: it
 * hears that notes are gone, and goes on from where the clock is.
 */
class ClockSetBackTest {
  private static final Duration SETTLE = Duration.ofSeconds(2);

  private final TestClock clock = new TestClock();
  private final CassandraStore store =
      OneNode.open(OneNode.options(OneNode.freshKeyspace()).settle(SETTLE).build(), clock);

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void aReaderThatWasAheadHearsThatNotesAreGone() {
    clock.pass(Duration.ofHours(2));
    ArrivalPlace ahead = at(ArrivalPlace.NEWEST).settledEnd();
    clock.pass(Duration.ofHours(-2));
    Arrivals now = at(ahead);
    assertThat(now.forgotten()).isTrue();
    assertThat(at(ArrivalPlace.NEWEST).settledEnd()).isLessThan(ahead);
    clock.pass(Duration.ofHours(3));
    assertThat(at(ahead).forgotten()).isFalse();
  }

  @Test
  void whatIsSettledStaysSoThroughTheStepsThatClocksMayDifferBy() {
    Arrivals before = at(ArrivalPlace.NEWEST);
    clock.pass(SETTLE.dividedBy(4).negated());
    Arrivals now = at(before.settledEnd());
    assertThat(now.forgotten()).isFalse();
    assertThat(now.settledTicks()).isEqualTo(before.settledTicks());
  }

  private Arrivals at(ArrivalPlace place) {
    return store.arrivals(place, 100).toCompletableFuture().join();
  }
}
