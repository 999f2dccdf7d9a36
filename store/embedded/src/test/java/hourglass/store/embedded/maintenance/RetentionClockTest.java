package hourglass.store.embedded.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.store.testkit.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RetentionClockTest {
  private static final Duration YEARS = Duration.ofDays(730);

  private final TestClock clock = new TestClock();
  private final AtomicLong steadyMillis = new AtomicLong(12_345);
  private final RetentionClock retention = new RetentionClock(clock, steadyMillis::get);

  @Test
  void retentionTimeFollowsTheClock() {
    Instant start = clock.instant();
    run(Duration.ofHours(3));
    assertThat(retention.instant()).isEqualTo(start.plus(Duration.ofHours(3)));
  }

  @Test
  void aClockAheadForMinutesIsIgnored() {
    Instant start = clock.instant();
    run(Duration.ofMinutes(7));
    clock.pass(YEARS);
    run(Duration.ofMinutes(9));
    assertThat(retention.instant()).isEqualTo(start.plus(Duration.ofMinutes(16)));
    clock.pass(YEARS.negated());
    run(Duration.ofMinutes(30));
    assertThat(retention.instant()).isEqualTo(clock.instant());
  }

  @Test
  void aClockThatStaysAheadIsFollowedLater() {
    run(Duration.ofMinutes(7));
    clock.pass(YEARS);
    run(Duration.ofMinutes(21));
    assertThat(retention.instant()).isEqualTo(clock.instant());
  }

  @Test
  void aClockSetBackIsFollowedAtOnce() {
    run(Duration.ofMinutes(7));
    clock.pass(YEARS.negated());
    assertThat(retention.instant()).isEqualTo(clock.instant());
  }

  @Test
  void aClockAheadAtTheStartIsIgnoredOnceItIsRight() {
    clock.pass(YEARS);
    RetentionClock begun = new RetentionClock(clock, steadyMillis::get);
    clock.pass(YEARS.negated());
    assertThat(begun.instant()).isEqualTo(clock.instant());
  }

  private void run(Duration time) {
    for (Duration left = time; left.compareTo(Duration.ZERO) > 0; left = left.minusSeconds(1)) {
      clock.pass(Duration.ofSeconds(1));
      steadyMillis.addAndGet(1_000);
      retention.sample();
    }
  }
}
