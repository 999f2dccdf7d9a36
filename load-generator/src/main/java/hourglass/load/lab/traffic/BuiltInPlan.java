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
 * The scenarios that need no file, each with the rate and length that are asked for on average.
 * Here the length is 1, and rates are relative.
 */
public enum BuiltInPlan {
  /** 20 types alike, at an even pace. */
  STEADY(Phase.of("steady", 1, 1).with(TYPES, 20)),

  HOT_TYPE(Phase.of("hot", 1, 1)),

  ZIPF_TYPES(Phase.of("zipf", 1, 1).with(TYPES, 100).with(SKEW, 1.1)),

  /** A fifth of the time ten times the pace, nearly all of it one type. */
  BURST(
      mixed("calm", 0.4, 1),
      mixed("burst", 0.2, 10).with(HOT_SHARE, 0.9),
      mixed("calm again", 0.4, 1)),

  HOUR_ROLLOVER(mixed("old hour", 0.5, 1), mixed("new hour", 0.5, 1)),

  /** Adds events of up to three hours before to the live ones. */
  LATE_FLOOD(
      mixed("live", 0.3, 1),
      mixed("flood", 0.4, 3).with(LATE_SHARE, 2.0 / 3),
      mixed("live again", 0.3, 1)),

  /** Half of the events of a storm were sent before. */
  RETRIES(
      mixed("calm", 0.3, 1),
      mixed("storm", 0.4, 2).with(REPEAT_SHARE, 0.5),
      mixed("calm again", 0.3, 1)),

  /** 5,000 types alike, each with hardly an event. */
  QUIET_TYPES(Phase.of("quiet", 1, 1).with(TYPES, 5_000)),

  /** A consumer takes half of the events, then catches up at twice the pace. */
  SLOW_CONSUMER(
      mixed("slow", 0.4, 0.5).with(LAG_SECONDS, 0.2),
      mixed("catches up", 0.2, 2),
      mixed("keeps up", 0.4, 1));

  @SuppressWarnings("ImmutableEnumChecker") // List.of is
  private final List<Phase> phases;

  BuiltInPlan(Phase... phases) {
    this.phases = List.of(phases);
  }

  private static Phase mixed(String name, double seconds, double rate) {
    return Phase.of(name, seconds, rate).with(TYPES, 20).with(SKEW, 1);
  }

  /** Takes the average rate in events a second. */
  public TrafficPlan plan(double rate, double seconds) {
    double sum = phases.stream().mapToDouble(each -> each.get(SECONDS) * each.get(RATE)).sum();
    double unit = rate / (Math.rint(sum * 1e6) / 1e6); // shares are decimal
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
