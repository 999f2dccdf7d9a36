package hourglass.bucketing.shards;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import org.junit.jupiter.api.Test;

class EvictedTypeHoursTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");

  private final EvictedTypeHours forgotten = new EvictedTypeHours();

  @Test
  void knowsHoursAndTypes() {
    forgotten.add(HOUR, "t");
    assertThat(forgotten.has(HOUR, "t")).isTrue();
    assertThat(forgotten.has(HOUR, "other")).isFalse();
    assertThat(forgotten.has(HOUR.next(), "t")).isFalse();
  }

  @Test
  void forgetsNothingWhereThereAreTooMany() {
    forgotten.add(HOUR.next(), "t");
    for (int i = 0; i < 2 * EvictedTypeHours.TYPES_MAX; i++) {
      forgotten.add(HOUR, "t" + i);
    }
    assertThat(forgotten.has(HOUR, "t0")).isTrue();
    assertThat(forgotten.has(HOUR, "never")).as("the hour as a whole").isTrue();
    assertThat(forgotten.has(HOUR.next(), "t")).isTrue();
    assertThat(forgotten.has(HOUR.next(), "other")).isFalse();
  }
}
