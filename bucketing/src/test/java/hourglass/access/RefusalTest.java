package hourglass.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class RefusalTest {
  private static final class Busy extends RefusedException {
    private static final long serialVersionUID = 1L;

    private final transient Duration retryAfter;

    Busy(Duration retryAfter) {
      super(Refusal.TOO_MUCH, "busy");
      this.retryAfter = retryAfter;
    }

    @Override
    public Duration retryAfter() {
      return retryAfter;
    }
  }

  @Test
  void refusalsAreFoundInsideExceptionsOfFutures() {
    Throwable wrapped =
        new CompletionException(new ExecutionException(new Busy(Duration.ofSeconds(3))));
    assertThat(Refusal.of(wrapped)).isEqualTo(Refusal.TOO_MUCH);
    assertThat(Refusal.passes(wrapped)).isTrue();
    assertThat(Refusal.message(wrapped)).isEqualTo("busy");
    assertThat(Refusal.retryAfterSeconds(wrapped)).isEqualTo(3);
  }

  @Test
  void retryAfterIsRoundedUpToAtLeastOneSecond() {
    assertThat(Refusal.retryAfterSeconds(new Busy(Duration.ofMillis(2_001)))).isEqualTo(3);
    assertThat(Refusal.retryAfterSeconds(new Busy(Duration.ZERO))).isEqualTo(1);
  }

  @Test
  void exceptionsOfTheJdkAreClassified() {
    assertThat(Refusal.of(new TimeoutException())).isEqualTo(Refusal.OUT_OF_TIME);
    assertThat(Refusal.message(new TimeoutException())).contains("in time");
    assertThat(Refusal.of(new RejectedExecutionException("pool of 7"))).isEqualTo(Refusal.AWAY);
    assertThat(Refusal.message(new RejectedExecutionException("pool of 7")))
        .isEqualTo("the server is stopping");
  }

  @Test
  void defectsAreNotRefusals() {
    Throwable defect = new IllegalStateException("a defect");
    assertThat(Refusal.of(defect)).isNull();
    assertThat(Refusal.passes(defect)).isFalse();
    assertThat(Refusal.retryAfterSeconds(defect)).isZero();
  }
}
