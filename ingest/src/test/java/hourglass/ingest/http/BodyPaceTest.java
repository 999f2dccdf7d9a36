package hourglass.ingest.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BodyPaceTest {
  private static final long LEAST = 640 * 1024;

  private final BodyPace pace = new BodyPace();

  @Test
  void aBodyWithoutAByteForSixTicksIsTooSlow() {
    assertThat(pace.isTooSlow(1)).isFalse();
    for (int tick = 1; tick < 6; tick++) {
      assertThat(pace.isTooSlow(1)).as("quiet tick %s", tick).isFalse();
    }
    assertThat(pace.isTooSlow(1)).isTrue();
  }

  @Test
  void aByteNowAndThenIsTooSlowAfterTheGrace() {
    for (int tick = 1; tick <= 6; tick++) {
      assertThat(pace.isTooSlow(tick)).as("tick %s", tick).isFalse();
    }
    assertThat(pace.isTooSlow(7)).isTrue();
  }

  @Test
  void theLeastPaceIsEnoughHoweverLongItLasts() {
    for (int tick = 1; tick <= 1_000; tick++) {
      assertThat(pace.isTooSlow(tick * LEAST)).as("tick %s", tick).isFalse();
    }
  }

  @Test
  void aFastBeginIsCreditForASlowEnd() {
    for (int tick = 1; tick <= 26; tick++) {
      assertThat(pace.isTooSlow(20 * LEAST + tick)).as("tick %s", tick).isFalse();
    }
    assertThat(pace.isTooSlow(20 * LEAST + 27)).isTrue();
  }
}
