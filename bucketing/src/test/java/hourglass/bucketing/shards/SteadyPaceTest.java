package hourglass.bucketing.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SteadyPaceTest {
  private static final long BEGIN = 1_000_000;

  private final SteadyPace pace = new SteadyPace(BEGIN);

  private void add(int... millis) {
    for (int each : millis) {
      pace.add(0.01, BEGIN + each);
    }
  }

  @Test
  void fourSlotsProveAPace() {
    add(0, 200, 400, 600);
    assertThat(pace.perSecond()).isZero();
    add(800);
    assertThat(pace.perSecond()).isCloseTo(0.05, within(1e-6));
  }

  @Test
  void oneOfFiveSlotsMayBeEmpty() {
    add(0, 200, 600, 800);
    assertThat(pace.perSecond()).isZero();
    add(1_000);
    assertThat(pace.perSecond()).isCloseTo(0.05, within(1e-6));
  }

  @Test
  void longerSlotsProveASlowPace() {
    for (int second = 0; second < 12; second++) {
      add(1_000 * second);
    }
    assertThat(pace.perSecond()).isBetween(0.01 / 1.6, 0.01 / 0.8);
  }

  @Test
  void aBurstIsNotASteadyPace() {
    add(0, 50, 300, 301, 302, 500);
    add(10_000);
    assertThat(pace.perSecond()).isZero();
    assertThat(pace.withoutBurst()).isCloseTo(0.04, within(1e-6));
  }

  @Test
  void capacityTakenBackAtOnceDoesNotCount() {
    for (int millis = 0; millis < 3_000; millis += 50) {
      add(millis);
      pace.takeBack(0.01, BEGIN + millis);
    }
    add(3_000);
    assertThat(pace.perSecond()).isCloseTo(0, within(1e-6));
    assertThat(pace.withoutBurst()).isCloseTo(0, within(1e-6));
  }

  @Test
  void capacityTakenBackLateIsSubtractedFromItsSlot() {
    add(0, 200, 400, 600);
    pace.takeBack(0.01, BEGIN + 200);
    pace.takeBack(0.01, BEGIN + 400);
    add(800, 1_000);
    assertThat(pace.perSecond()).isZero();
    assertThat(pace.withoutBurst()).isCloseTo(0.03, within(1e-6));
  }

  @Test
  void aBurstTakenBackIsNoLongerTheLargest() {
    pace.add(0.02, BEGIN);
    pace.add(0.5, BEGIN + 60_000);
    add(60_400, 60_600);
    pace.takeBack(0.5, BEGIN + 60_000);
    assertThat(pace.withoutBurst()).as("0.02 is the burst again").isCloseTo(0.02, within(1e-6));
    pace.takeBack(0.02, BEGIN);
    pace.takeBack(0.01, BEGIN + 60_400);
    assertThat(pace.withoutBurst()).as("too late, and never below 0").isZero();
  }

  @Test
  void aPaceIsForgottenAfterAPause() {
    add(0, 200, 400, 600, 800);
    add(20_000);
    assertThat(pace.perSecond()).isZero();
  }

  @Test
  void aClockThatStepsBackDoesNotChangeThePace() {
    add(0, 200, 400, 600, 800);
    add(-5_000, 100);
    assertThat(pace.perSecond()).isCloseTo(0.05, within(1e-6));
  }
}
