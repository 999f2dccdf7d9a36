package hourglass.query.encode;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.testing.Seed;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimeWriterTest {
  private final Random random = Seed.random(this);

  @Test
  void writesTimesOfAnyOrder() {
    TimeWriter times = new TimeWriter();
    byte[] out = new byte[Ticks.TEXT_BYTES];
    long ticks = Hour.parse("2026-11-20T08").startTicks();
    for (int i = 0; i < 20_000; i++) {
      long step = random.nextInt(4) == 0 ? 3 * Ticks.PER_SECOND : 1000;
      ticks += random.nextInt((int) (2 * step + 1)) - step;
      assertThat(times.write(ticks, out, 0)).isEqualTo(Ticks.TEXT_BYTES);
      assertThat(new String(out, StandardCharsets.US_ASCII)).isEqualTo(Ticks.text(ticks));
    }
  }
}
