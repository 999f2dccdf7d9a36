package hourglass.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.query.QueryOptions;
import hourglass.query.http.ResponseWatch.State;
import hourglass.query.scan.QueryReads;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class ResponseWatchTest {
  private Instant now = Instant.EPOCH;
  private final InstantSource source = () -> now;
  private final Clock clock = source.withZone(ZoneOffset.UTC);
  private final ResponseWatch watch =
      new ResponseWatch(clock, QueryOptions.DEFAULTS, 0, new QueryReads());

  private void pass(long millis) {
    now = now.plusMillis(millis);
  }

  @Test
  void stalledTimeIsNotRunningTime() {
    pass(10);
    watch.become(State.STALLED);
    pass(100);
    assertThat(watch.stalledMillis()).isEqualTo(100);
    watch.become(State.RUNNING);
    pass(1);
    watch.become(State.RUNNING);
    assertThat(watch.stalledMillis()).isZero();
    assertThat(watch.ranMillis()).isEqualTo(11);
  }

  @Test
  void timeWithoutAPlaceIsNeitherStalledNorRunning() {
    pass(10);
    watch.become(State.STALLED);
    pass(100);
    watch.become(State.WITHOUT_PLACE);
    pass(1_000);
    assertThat(watch.stalledMillis()).isZero();
    assertThat(watch.ranMillis()).isEqualTo(10);
    watch.become(State.RUNNING);
    pass(5);
    assertThat(watch.ranMillis()).isEqualTo(15);
  }
}
