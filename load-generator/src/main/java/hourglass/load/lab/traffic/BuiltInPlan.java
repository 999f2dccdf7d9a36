package hourglass.load.lab.traffic;

import static hourglass.load.lab.traffic.Phase.Field.HOT_SHARE;
import static hourglass.load.lab.traffic.Phase.Field.LAG_SECONDS;
import static hourglass.load.lab.traffic.Phase.Field.LATE_SHARE;
import static hourglass.load.lab.traffic.Phase.Field.RATE;
import static hourglass.load.lab.traffic.Phase.Field.REPEAT_SHARE;
import static hourglass.load.lab.traffic.Phase.Field.SECONDS;
import static hourglass.load.lab.traffic.Phase.Field.SKEW;
import static hourglass.load.lab.traffic.Phase.Field.TYPES;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The scenarios that need no file. Each is scaled to the average rate and the length of a run. Here
 * the length is 1, and rates are relative.
 */
public enum BuiltInPlan {
  /** Events of 20 types, all equally frequent, at an even pace. */
  STEADY(Phase.of("steady", 1, 1).with(TYPES, 20)),

  HOT_TYPE(Phase.of("hot", 1, 1)),

  ZIPF_TYPES(Phase.of("zipf", 1, 1).with(TYPES, 100).with(SKEW, 1.1)),

  /** Traffic at ten times the pace for a fifth of the time, nearly all of one type. */
  BURST(
      mixed("calm", 0.4, 1),
      mixed("burst", 0.2, 10).with(HOT_SHARE, 0.9),
      mixed("calm again", 0.4, 1)),

  HOUR_ROLLOVER(mixed("old hour", 0.5, 1), mixed("new hour", 0.5, 1)),

  /** Live events, to which events of up to three hours before are added. */
  LATE_FLOOD(
      mixed("live", 0.3, 1),
      mixed("flood", 0.4, 3).with(LATE_SHARE, 2.0 / 3),
      mixed("live again", 0.3, 1)),

  /** A storm in which half of the events were sent before. */
  RETRIES(
      mixed("calm", 0.3, 1),
      mixed("storm", 0.4, 2).with(REPEAT_SHARE, 0.5),
      mixed("calm again", 0.3, 1)),

  /** Events of 5,000 types, all equally frequent, each with hardly an event. */
  QUIET_TYPES(Phase.of("quiet", 1, 1).with(TYPES, 5_000)),

  /**
   * The events of a consumer that keeps up with only half of them, then catches up at twice the
   * pace.
   */
  SLOW_CONSUMER(
      mixed("slow", 0.4, 0.5).with(LAG_SECONDS, 0.2),
      mixed("catches up", 0.2, 2),
      mixed("keeps up", 0.4, 1));

  @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
  private final List<Phase> phases;

  BuiltInPlan(Phase... phases) {
    this.phases = List.of(phases);
  }

  private static Phase mixed(String name, double seconds, double rate) {
    return Phase.of(name, seconds, rate).with(TYPES, 20).with(SKEW, 1);
  }

  /** Returns the plan for an average rate in events a second. */
  public TrafficPlan plan(double rate, double seconds) {
    double sum = phases.stream().mapToDouble(each -> each.get(SECONDS) * each.get(RATE)).sum();
    double unit = rate / (Math.rint(sum * 1e6) / 1e6); // shares are decimal fractions
    return new TrafficPlan(
        this == HOUR_ROLLOVER ? 3_600 - seconds / 2 : TrafficPlan.START_SECOND,
        phases.stream()
            .map(
                each ->
                    each.with(SECONDS, each.get(SECONDS) * seconds)
                        .with(RATE, each.get(RATE) * unit)
                        .with(LAG_SECONDS, each.get(LAG_SECONDS) * seconds))
            .toList());
  }

  private String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static @Nullable BuiltInPlan of(String label) {
    return Arrays.stream(values()).filter(p -> p.label().equals(label)).findFirst().orElse(null);
  }

  static List<String> labels() {
    return Arrays.stream(values()).map(BuiltInPlan::label).toList();
  }
}
