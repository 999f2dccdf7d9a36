package hourglass.load.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hourglass.bucketing.Hour;
import hourglass.bucketing.Ticks;
import hourglass.load.command.LoadFailure;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class TrafficGeneratorTest {
  private static final Hour HOUR = Hour.parse("2026-11-20T08");

  @ParameterizedTest
  @EnumSource
  void keepsToTheRateAndTheLength(Scenario scenario) {
    Schedule schedule = schedule(scenario);
    assertThat(schedule.lengthNanos()).isCloseTo(20_000_000_000L, within(10L));
    assertThat(schedule.events().size()).isCloseTo(20_000, within(20));
    for (int i = 1; i < schedule.events().size(); i++) {
      assertThat(schedule.events().get(i).dueNanos())
          .isGreaterThanOrEqualTo(schedule.events().get(i - 1).dueNanos());
    }
    assertThat(schedule.events().get(schedule.events().size() - 1).dueNanos())
        .isLessThan(schedule.lengthNanos());
  }

  @ParameterizedTest
  @EnumSource
  void scheduleRepeatsForSameSeed(Scenario scenario) {
    assertThat(text(schedule(scenario))).isEqualTo(text(schedule(scenario)));
  }

  private static String text(Schedule schedule) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < schedule.events().size(); i++) {
      text.append(schedule.events().get(i).dueNanos())
          .append(' ')
          .append(schedule.events().get(i).ticks())
          .append(' ');
      text.append(schedule.events().get(i).lsb())
          .append(' ')
          .append(schedule.events().get(i).type())
          .append(' ');
      text.append('\n');
    }
    return text.toString();
  }

  @ParameterizedTest
  @EnumSource
  void onlyRepeatsHaveTheSameName(Scenario scenario) {
    Schedule schedule = schedule(scenario);
    Set<Long> names = new HashSet<>();
    long repeats = 0;
    for (int i = 0; i < schedule.events().size(); i++) {
      int original = schedule.events().get(i).original();
      repeats += original < i ? 1 : 0;
      assertThat(names.add(schedule.events().get(i).lsb())).isEqualTo(original == i);
      assertThat(schedule.events().get(i).ticks())
          .isEqualTo(schedule.events().get(original).ticks());
      assertThat(schedule.events().get(i).type()).isEqualTo(schedule.events().get(original).type());
      assertThat(schedule.events().get(i).dueNanos() - schedule.events().get(original).dueNanos())
          .isGreaterThanOrEqualTo(0);
    }
    // Half of the events in two fifths of the time, at twice the pace of the rest.
    double share = scenario == Scenario.RETRIES ? 0.5 * 0.8 / 1.4 : 0;
    assertThat((double) repeats / schedule.events().size()).isCloseTo(share, within(0.02));
  }

  @Test
  void hotTypeGetsAllTraffic() {
    assertThat(countsByType(schedule(Scenario.HOT_TYPE)).keySet()).hasSize(1);
    assertThat(countsByType(schedule(Scenario.STEADY)).values())
        .allSatisfy(count -> assertThat(count).isBetween(800, 1_200));
    Map<String, Integer> zipf = countsByType(schedule(Scenario.ZIPF_TYPES));
    assertThat(zipf.get("page_view")).isGreaterThan(10 * zipf.get("type-20"));
    assertThat(countsByType(schedule(Scenario.QUIET_TYPES)).keySet()).hasSizeBetween(4_500, 5_000);
  }

  private static Map<String, Integer> countsByType(Schedule schedule) {
    Map<String, Integer> counts = new HashMap<>();
    IntStream.range(0, schedule.events().size())
        .forEach(i -> counts.merge(schedule.events().get(i).type(), 1, Integer::sum));
    return counts;
  }

  @Test
  void theHourEndsInTheMiddle() {
    Schedule schedule = schedule(Scenario.HOUR_ROLLOVER);
    assertThat(schedule.hours()).containsExactly(HOUR, HOUR.next());
    assertThat(schedule.events().get(9_999).ticks()).isLessThan(HOUR.endTicks());
    assertThat(schedule.events().get(10_000).ticks()).isGreaterThanOrEqualTo(HOUR.endTicks());
  }

  @Test
  void aFloodIsLateByUpToThreeHours() {
    Schedule schedule = schedule(Scenario.LATE_FLOOD);
    long late =
        IntStream.range(0, schedule.events().size())
            .filter(i -> behindSeconds(schedule, i) > 1)
            .peek(i -> assertThat(behindSeconds(schedule, i)).isLessThan(10_801))
            .peek(
                i ->
                    assertThat(schedule.events().get(i).dueNanos())
                        .isBetween(6_000_000_000L, 14_000_000_000L))
            .count();
    assertThat((double) late / schedule.events().size()).isCloseTo(0.8 / 1.8, within(0.02));
    assertThat(schedule.hours()).hasSize(4);
  }

  @Test
  void aSlowConsumerFallsBehindAndCatchesUp() {
    Schedule schedule = schedule(Scenario.SLOW_CONSUMER);
    int slowest = Schedule.firstDue(schedule.events(), 8_000_000_000L);
    int caughtUp = Schedule.firstDue(schedule.events(), 12_000_000_000L);
    assertThat(behindSeconds(schedule, slowest)).isCloseTo(4, within(0.01));
    assertThat(behindSeconds(schedule, slowest / 2)).isCloseTo(2, within(0.01));
    assertThat(behindSeconds(schedule, caughtUp)).isCloseTo(0, within(0.01));
    for (int i = 1; i < schedule.events().size(); i++) {
      assertThat(schedule.events().get(i).ticks())
          .isGreaterThanOrEqualTo(schedule.events().get(i - 1).ticks());
    }
  }

  private static double behindSeconds(Schedule schedule, int event) {
    long start = HOUR.startTicks() + (long) Scenario.START_SECOND * Ticks.PER_SECOND;
    return (start
            + schedule.events().get(event).dueNanos() / 100
            - schedule.events().get(event).ticks())
        / (double) Ticks.PER_SECOND;
  }

  @Test
  void refusesNoneAndTooMany() {
    assertThatThrownBy(() -> schedule(Scenario.STEADY, 0.1, 1, 0))
        .isInstanceOf(LoadFailure.class)
        .hasMessage("the scenario has no events");
    assertThatThrownBy(() -> schedule(Scenario.STEADY, 1e6, 3_600, 0))
        .isInstanceOf(LoadFailure.class)
        .hasMessageContaining("3,600,000,000 events, want at most 5,000,000");
  }

  /** The warm-up is the beginning of the same traffic, with times that much earlier. */
  @ParameterizedTest
  @EnumSource
  void theWarmUpIsLikeTheBeginning(Scenario scenario) {
    long warmUp = 5_000_000_000L;
    List<Event> cold = schedule(scenario).events();
    List<Event> events = schedule(scenario, 1_000, 20, warmUp).events();
    int count = events.size() - cold.size();
    assertThat(count).isEqualTo(Schedule.firstDue(cold, warmUp)).isPositive();
    for (int i = 0; i < events.size(); i++) {
      Event like = cold.get(i < count ? i : i - count);
      long earlier = i < count ? warmUp : 0;
      assertThat(events.get(i).isMeasured()).isEqualTo(i >= count);
      assertThat(events.get(i))
          .isEqualTo(
              new Event(
                  like.dueNanos() - earlier,
                  like.ticks() - earlier / 100,
                  like.type(),
                  like.original() + (i < count ? 0 : count),
                  like.phase()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void windowsHaveNoGapsAndOnePhase(Scenario scenario) {
    Schedule schedule = schedule(scenario, 1_000, 20, 5_000_000_000L);
    List<Event> inWindows = new ArrayList<>();
    for (List<Event> window : schedule.windows(10_000_000)) {
      Event first = window.get(0);
      assertThat(window.get(window.size() - 1).dueNanos() - first.dueNanos())
          .isBetween(0L, 10_000_000L);
      assertThat(window).allMatch(event -> event.phase() == first.phase());
      assertThat(window).allMatch(event -> event.isMeasured() == first.isMeasured());
      inWindows.addAll(window);
    }
    assertThat(inWindows).isEqualTo(schedule.events());
  }

  private static Schedule schedule(Scenario scenario) {
    return schedule(scenario, 1_000, 20, 0);
  }

  private static Schedule schedule(
      Scenario scenario, double rate, double seconds, long warmUpNanos) {
    return TrafficGenerator.schedule(scenario, rate, seconds, warmUpNanos, HOUR, 5);
  }
}
