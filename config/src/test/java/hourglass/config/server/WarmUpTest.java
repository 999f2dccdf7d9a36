package hourglass.config.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class WarmUpTest {
  private static final long MILLI_NANOS = 1_000_000;

  private long cpuNanos;
  private int rounds;
  private int looks;
  private boolean hasEvents = true;
  private boolean fails;
  private boolean isAsked;
  private boolean wasEnough;
  private final WarmUp warmUp =
      new WarmUp(
          () -> cpuNanos, () -> cpuNanos, () -> isAsked, Duration.ofMillis(2_500), this::practise);

  private boolean practise(boolean isFirst, BooleanSupplier enough) {
    if (!hasEvents) {
      looks++;
      return false;
    }
    if (fails) {
      cpuNanos += 300 * MILLI_NANOS;
      throw new IllegalStateException("a query fails");
    }
    assertThat(isFirst).isEqualTo(rounds == 0);
    rounds++;
    cpuNanos += 1_000 * MILLI_NANOS;
    wasEnough = enough.getAsBoolean();
    return true;
  }

  private void periods(int count, long cpuMillis) {
    for (int i = 0; i < count && !warmUp.isOver(); i++) {
      cpuNanos += cpuMillis * MILLI_NANOS;
      warmUp.check();
    }
  }

  @Test
  void aProcessThatNobodyUsesAsksEachQueryOnce() {
    periods(4, 1);
    assertThat(rounds).isZero();
    periods(30, 1);
    assertThat(rounds).isEqualTo(1);
    assertThat(warmUp.isOver()).isFalse();
  }

  @Test
  void useIsNotThatOfThePracticeItself() {
    periods(30, 1);
    periods(1, 900);
    periods(10, 1);
    assertThat(rounds).isEqualTo(1);
    periods(1, 100);
    assertThat(rounds).as("what is left of the processor time").isEqualTo(3);
    assertThat(warmUp.isOver()).isTrue();
  }

  @Test
  void aBusyProcessPractisesOnceItIsQuiet() {
    periods(30, 500);
    assertThat(rounds).as("while busy").isZero();
    periods(4, 10);
    assertThat(rounds).as("in a gap").isZero();
    periods(1, 10);
    assertThat(rounds).isEqualTo(3);
    assertThat(warmUp.isOver()).isTrue();
  }

  @Test
  void aBusyProcessAsksEachQueryOnceAfterAClient() {
    periods(3, 500);
    isAsked = true;
    periods(30, 500);
    assertThat(rounds).isEqualTo(1);
    periods(5, 10);
    assertThat(rounds).isEqualTo(3);
  }

  @Test
  void questionsWithoutEventsAreNoReasonToLookMoreOften() {
    hasEvents = false;
    isAsked = true;
    periods(120, 500);
    assertThat(looks).isEqualTo(2);
  }

  @Test
  void aRoundIsToldOnceTheProcessorTimeIsSpent() {
    periods(1, 2_000);
    periods(5, 0);
    assertThat(wasEnough).isTrue();
  }

  @Test
  void practiceLooksForEventsOnceAMinute() {
    hasEvents = false;
    periods(1, 2_000);
    periods(50, 0);
    assertThat(looks).isEqualTo(1);
    assertThat(warmUp.isOver()).isFalse();
    hasEvents = true;
    periods(70, 0);
    assertThat(warmUp.isOver()).isTrue();
  }

  /** Such as a store that is not connected yet. */
  @Test
  void aPracticeThatFailedIsTriedAgainAMinuteLater() {
    fails = true;
    periods(1, 2_000);
    periods(5, 0);
    assertThat(warmUp.hasBegun()).isFalse();
    fails = false;
    periods(50, 0);
    assertThat(rounds).isZero();
    periods(20, 0);
    assertThat(rounds).isEqualTo(3);
    assertThat(warmUp.isOver()).isTrue();
  }

  @Test
  void failuresEndOnceTheProcessorTimeIsSpent() {
    fails = true;
    periods(1, 2_000);
    periods(700, 0);
    assertThat(warmUp.isOver()).isTrue();
  }
}
