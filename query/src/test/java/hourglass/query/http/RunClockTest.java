package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.query.http.RunClock.State;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class RunClockTest {
  private Instant now = Instant.EPOCH;
  private final InstantSource source = () -> now;
  private final Clock clock = source.withZone(ZoneOffset.UTC);
  private final RunClock running = new RunClock(clock);

  private void pass(long millis) {
    now = now.plusMillis(millis);
  }

  @Test
  void stalledTimeIsNotRunningTime() {
    pass(10);
    running.become(State.STALLED);
    pass(100);
    assertThat(running.stalledMillis()).isEqualTo(100);
    running.become(State.RUNNING);
    pass(1);
    running.become(State.RUNNING);
    assertThat(running.stalledMillis()).isZero();
    assertThat(running.ranMillis()).isEqualTo(11);
  }

  @Test
  void timeWithoutAPlaceIsNeitherStalledNorRunning() {
    pass(10);
    running.become(State.STALLED);
    pass(100);
    running.become(State.WITHOUT_PLACE);
    pass(1_000);
    assertThat(running.stalledMillis()).isZero();
    assertThat(running.ranMillis()).isEqualTo(10);
    running.become(State.RUNNING);
    pass(5);
    assertThat(running.ranMillis()).isEqualTo(15);
  }
}
