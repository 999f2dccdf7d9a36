package hourglass.load.lab.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.load.command.LoadFailure;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class TrafficPlanTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");

  @ParameterizedTest
  @EnumSource
  void keepsToTheRateAndTheLength(BuiltInPlan builtIn) {
    Schedule schedule = schedule(builtIn);
    assertThat(schedule.lengthNanos()).isCloseTo(20_000_000_000L, within(10L));
    assertThat(schedule.size()).isCloseTo(20_000, within(20));
    for (int i = 1; i < schedule.size(); i++) {
      assertThat(schedule.dueNanos(i)).isGreaterThanOrEqualTo(schedule.dueNanos(i - 1));
    }
    assertThat(schedule.dueNanos(schedule.size() - 1)).isLessThan(schedule.lengthNanos());
  }

  @ParameterizedTest
  @EnumSource
  void scheduleRepeatsForSameSeed(BuiltInPlan builtIn) {
    assertThat(text(schedule(builtIn))).isEqualTo(text(schedule(builtIn)));
  }

  private static String text(Schedule schedule) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < schedule.size(); i++) {
      text.append(schedule.dueNanos(i)).append(' ').append(schedule.ticks(i)).append(' ');
      text.append(schedule.lsb(i)).append(' ').append(schedule.type(i)).append(' ');
      text.append(schedule.bytes(i)).append('\n');
    }
    return text.toString();
  }

  @ParameterizedTest
  @EnumSource
  void onlyRepeatsHaveTheSameName(BuiltInPlan builtIn) {
    Schedule schedule = schedule(builtIn);
    Set<Long> names = new HashSet<>();
    long repeats = 0;
    for (int i = 0; i < schedule.size(); i++) {
      int original = schedule.original(i);
      repeats += original < i ? 1 : 0;
      assertThat(names.add(schedule.lsb(i))).isEqualTo(original == i);
      assertThat(schedule.ticks(i)).isEqualTo(schedule.ticks(original));
      assertThat(schedule.type(i)).isEqualTo(schedule.type(original));
      assertThat(schedule.dueNanos(i) - schedule.dueNanos(original)).isGreaterThanOrEqualTo(0);
    }
    // Half of the events in two fifths of the time, at twice the pace of the rest.
    double share = builtIn == BuiltInPlan.RETRIES ? 0.5 * 0.8 / 1.4 : 0;
    assertThat((double) repeats / schedule.size()).isCloseTo(share, within(0.02));
  }

  @Test
  void hotTypeGetsAllTraffic() {
    assertThat(countsByType(schedule(BuiltInPlan.HOT_TYPE)).keySet()).hasSize(1);
    assertThat(countsByType(schedule(BuiltInPlan.STEADY)).values())
        .allSatisfy(count -> assertThat(count).isBetween(800, 1_200));
    Map<String, Integer> zipf = countsByType(schedule(BuiltInPlan.ZIPF_TYPES));
    assertThat(zipf.get("page_view")).isGreaterThan(10 * zipf.get("type-20"));
    assertThat(countsByType(schedule(BuiltInPlan.QUIET_TYPES)).keySet())
        .hasSizeBetween(4_500, 5_000);
  }

  private static Map<String, Integer> countsByType(Schedule schedule) {
    Map<String, Integer> counts = new HashMap<>();
    IntStream.range(0, schedule.size())
        .forEach(i -> counts.merge(schedule.type(i), 1, Integer::sum));
    return counts;
  }

  @Test
  void theHourEndsInTheMiddle() {
    Schedule schedule = schedule(BuiltInPlan.HOUR_ROLLOVER);
    assertThat(schedule.hours()).containsExactly(HOUR, HOUR.next());
    assertThat(schedule.ticks(9_999)).isLessThan(HOUR.endTicks());
    assertThat(schedule.ticks(10_000)).isGreaterThanOrEqualTo(HOUR.endTicks());
  }

  @Test
  void aFloodIsLateByUpToThreeHours() {
    Schedule schedule = schedule(BuiltInPlan.LATE_FLOOD);
    long late =
        IntStream.range(0, schedule.size())
            .filter(i -> behindSeconds(schedule, i) > 1)
            .peek(i -> assertThat(behindSeconds(schedule, i)).isLessThan(10_801))
            .peek(i -> assertThat(schedule.dueNanos(i)).isBetween(6_000_000_000L, 14_000_000_000L))
            .count();
    assertThat((double) late / schedule.size()).isCloseTo(0.8 / 1.8, within(0.02));
    assertThat(schedule.hours()).hasSize(4);
  }

  @Test
  void aSlowConsumerFallsBehindAndCatchesUp() {
    Schedule schedule = schedule(BuiltInPlan.SLOW_CONSUMER);
    int slowest = schedule.firstDue(8_000_000_000L);
    int caughtUp = schedule.firstDue(12_000_000_000L);
    assertThat(behindSeconds(schedule, slowest)).isCloseTo(4, within(0.01));
    assertThat(behindSeconds(schedule, slowest / 2)).isCloseTo(2, within(0.01));
    assertThat(behindSeconds(schedule, caughtUp)).isCloseTo(0, within(0.01));
    for (int i = 1; i < schedule.size(); i++) {
      assertThat(schedule.ticks(i)).isGreaterThanOrEqualTo(schedule.ticks(i - 1));
    }
  }

  private static double behindSeconds(Schedule schedule, int event) {
    long start = HOUR.startTicks() + (long) TrafficPlan.START_SECOND * Ticks.PER_SECOND;
    return (start + schedule.dueNanos(event) / 100 - schedule.ticks(event))
        / (double) Ticks.PER_SECOND;
  }

  @Test
  void refusesNoneAndTooMany() {
    assertThatThrownBy(() -> schedule(plan(Phase.of("none", 1, 0.1))))
        .isInstanceOf(LoadFailure.class)
        .hasMessage("the scenario has no events");
    assertThatThrownBy(() -> schedule(plan(Phase.of("many", 3_600, 1e6))))
        .isInstanceOf(LoadFailure.class)
        .hasMessageContaining("3,600,000,000 events, want at most 10,000,000");
  }

  private static TrafficPlan plan(Phase phase) {
    return new TrafficPlan(TrafficPlan.START_SECOND, List.of(phase));
  }

  private static Schedule schedule(BuiltInPlan builtIn) {
    return schedule(builtIn.plan(1_000, 20));
  }

  private static Schedule schedule(TrafficPlan plan) {
    return plan.schedule(HOUR, 5);
  }
}
