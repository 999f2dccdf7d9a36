package hourglass.load.canary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class DelaysTest {
  private final Delays delays = new Delays();

  @Test
  void aSnapshotStaysAsItWas() {
    delays.record(TimeUnit.MILLISECONDS.toNanos(40));
    delays.record(TimeUnit.MILLISECONDS.toNanos(60));
    Delays.Snapshot before = delays.snapshot();
    delays.record(TimeUnit.MILLISECONDS.toNanos(10));
    assertThat(before.countUpTo(0.05)).isEqualTo(1);
    assertThat(before.count()).isEqualTo(2);
    assertThat(before.sumSeconds()).isCloseTo(0.1, within(1e-9));
    assertThat(delays.snapshot().countUpTo(0.05)).isEqualTo(2);
  }
}
