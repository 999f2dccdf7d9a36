package hourglass.testing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SeedTest {
  @Test
  void drawnSeedsAreListedWithTheirOption() {
    long seed = Seed.next("SeedTest");
    assertThat(Seed.drawn())
        .filteredOn(draw -> draw.test().equals("SeedTest"))
        .extracting(Seed.Draw::option)
        .containsExactly("-Dhourglass.seed=" + seed);
  }
}
