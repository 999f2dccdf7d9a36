package hourglass.testing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SeedTest {
  @Test
  void tellsHowToRepeatWhatATestDrew() {
    long seed = Seed.next("SeedTest");
    assertThat(Seed.option("SeedTest")).isEqualTo("-Dhourglass.seed=" + seed);
    assertThat(Seed.option("a test that draws nothing")).isEmpty();
  }
}
