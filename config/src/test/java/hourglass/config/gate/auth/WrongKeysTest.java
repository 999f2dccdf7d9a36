package hourglass.config.gate.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WrongKeysTest {
  private final AtomicLong nanos = new AtomicLong();
  private final WrongKeys wrongKeys = new WrongKeys(nanos::get);

  private int atOnce(String address) {
    int count = 0;
    while (wrongKeys.add(address) == 0) {
      count++;
    }
    return count;
  }

  @Test
  void theFirstWrongKeysAreAnsweredAtOnce() {
    assertThat(atOnce("a")).isEqualTo(100);
    nanos.addAndGet(3_600_000_000_000L);
    assertThat(atOnce("a")).isEqualTo(100);
  }

  /** The pace of the attempts does not matter. */
  @Test
  void furtherWrongKeysAreAnsweredOnceASecond() {
    for (int i = 0; i < 100; i++) {
      wrongKeys.add("a");
    }
    int answers = 0;
    for (int i = 0; i < 1_000; i++) {
      if (wrongKeys.add("a") != WrongKeys.TOO_MANY) {
        answers++;
      }
      nanos.addAndGet(100_000_000L);
    }
    assertThat(answers).isBetween(100, 117); // in 100 seconds, some still to wait
  }

  @Test
  void anotherAddressIsNotSlowed() {
    atOnce("a");
    assertThat(wrongKeys.add("b")).isZero();
  }

  @Test
  void aBoundedNumberOfAnswersWaits() {
    for (int i = 0; i < 100; i++) {
      wrongKeys.add("a");
    }
    for (int i = 1; i <= 16; i++) {
      assertThat(wrongKeys.add("a")).isEqualTo(i * 1_000);
    }
    assertThat(wrongKeys.add("a")).isEqualTo(WrongKeys.TOO_MANY);
    nanos.addAndGet(1_000_000_000L);
    assertThat(wrongKeys.add("a")).isEqualTo(16_000);
  }
}
