package hourglass.bucketing.shards;

import static org.assertj.core.api.Assertions.assertThat;

import hourglass.bucketing.Hour;
import hourglass.bucketing.TypeHour;
import org.junit.jupiter.api.Test;

class EvictedTypeHoursTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");

  private final EvictedTypeHours evicted = new EvictedTypeHours();

  @Test
  void distinguishesHoursAndTypes() {
    evicted.add(new TypeHour(HOUR, "t"));
    assertThat(evicted.has(new TypeHour(HOUR, "t"))).isTrue();
    assertThat(evicted.has(new TypeHour(HOUR, "other"))).isFalse();
    assertThat(evicted.has(new TypeHour(HOUR.next(), "t"))).isFalse();
  }

  @Test
  void tooManyTypesOfAnHourEvictTheWholeHour() {
    evicted.add(new TypeHour(HOUR.next(), "t"));
    for (int i = 0; i < 2 * EvictedTypeHours.TYPES_MAX; i++) {
      evicted.add(new TypeHour(HOUR, "t" + i));
    }
    assertThat(evicted.has(new TypeHour(HOUR, "t0"))).isTrue();
    assertThat(evicted.has(new TypeHour(HOUR, "never"))).as("the hour as a whole").isTrue();
    assertThat(evicted.has(new TypeHour(HOUR.next(), "t"))).isTrue();
    assertThat(evicted.has(new TypeHour(HOUR.next(), "other"))).isFalse();
  }
}
