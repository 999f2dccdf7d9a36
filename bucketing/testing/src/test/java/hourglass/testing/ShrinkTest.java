package hourglass.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShrinkTest {
  private static final List<Integer> STEPS = IntStream.range(0, 1_000).boxed().toList();

  @Test
  void keepsOnlyTheStepsNeededForTheFailure() {
    assertThatThrownBy(
            () ->
                Shrink.check(
                    STEPS,
                    steps -> {
                      if (steps.contains(17) && steps.contains(801)) {
                        throw new IllegalStateException("17 before 801");
                      }
                    }))
        .isInstanceOf(AssertionError.class)
        .hasMessage("fails with 2 of 1000 steps:%n  0: 17%n  1: 801".formatted())
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void aDifferentFailureIsNotTheSameCase() {
    assertThatThrownBy(
            () ->
                Shrink.check(
                    STEPS,
                    steps -> {
                      if (steps.size() < 10) {
                        throw new ArrayIndexOutOfBoundsException();
                      }
                      throw new IllegalStateException("all of them");
                    }))
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void aPassingCaseRunsOnce() {
    AtomicInteger runs = new AtomicInteger();
    Shrink.check(STEPS, steps -> runs.incrementAndGet());
    assertThat(runs).hasValue(1);
  }
}
