package hourglass.config.auth;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.config.auth.WrongKeys.Answer;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WrongKeysTest {
  private final AtomicLong nanos = new AtomicLong();
  private final WrongKeys wrongKeys = new WrongKeys(nanos::get);

  private int atOnce(String address) {
    int count = 0;
    while (wrongKeys.add(address) == Answer.NOW) {
      count++;
    }
    wrongKeys.answered(address);
    return count;
  }

  @Test
  void aFewAreAnsweredAtOnceAndOneASecond() {
    assertThat(atOnce("a")).isEqualTo(100);
    nanos.addAndGet(3_000_000_000L);
    assertThat(atOnce("a")).isEqualTo(3);
    nanos.addAndGet(3_600_000_000_000L);
    assertThat(atOnce("a")).isEqualTo(100);
  }

  @Test
  void anotherAddressIsNotSlowed() {
    atOnce("a");
    assertThat(wrongKeys.add("b")).isEqualTo(Answer.NOW);
  }

  @Test
  void aBoundedNumberOfAnswersWaits() {
    atOnce("a");
    int waiting = 0;
    while (wrongKeys.add("a") == Answer.LATER) {
      waiting++;
    }
    assertThat(waiting).isEqualTo(16);
    assertThat(wrongKeys.add("a")).isEqualTo(Answer.TOO_MANY);
    wrongKeys.answered("a");
    assertThat(wrongKeys.add("a")).isEqualTo(Answer.LATER);
  }
}
