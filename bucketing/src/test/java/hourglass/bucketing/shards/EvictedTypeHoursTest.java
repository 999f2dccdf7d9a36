package hourglass.bucketing.shards;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import org.junit.jupiter.api.Test;

class EvictedTypeHoursTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");

  private final EvictedTypeHours evicted = new EvictedTypeHours();

  @Test
  void knowsHoursAndTypes() {
    evicted.add(HOUR, "t");
    assertThat(evicted.has(HOUR, "t")).isTrue();
    assertThat(evicted.has(HOUR, "other")).isFalse();
    assertThat(evicted.has(HOUR.next(), "t")).isFalse();
  }

  @Test
  void forgetsNothingWhereThereAreTooMany() {
    evicted.add(HOUR.next(), "t");
    for (int i = 0; i < 2 * EvictedTypeHours.TYPES_MAX; i++) {
      evicted.add(HOUR, "t" + i);
    }
    assertThat(evicted.has(HOUR, "t0")).isTrue();
    assertThat(evicted.has(HOUR, "never")).as("the hour as a whole").isTrue();
    assertThat(evicted.has(HOUR.next(), "t")).isTrue();
    assertThat(evicted.has(HOUR.next(), "other")).isFalse();
  }
}
