package hourglass.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PatienceTest {
  /** With Awaitility's own default of 10 s, a test on a slow machine would give up. */
  @Test
  void longestPatienceIsTheDefaultLimitOfAwaitility() {
    AtomicLong left = new AtomicLong();
    await()
        .conditionEvaluationListener(condition -> left.set(condition.getRemainingTimeInMS()))
        .until(() -> true);
    assertThat(left.get()).isBetween(Patience.LONGEST.toMillis() / 2, Patience.LONGEST.toMillis());
  }
}
