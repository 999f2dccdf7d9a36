package hourglass.load.lab.traffic;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The scenarios that need no file; each takes a rate and a length and keeps to both on average. */
public enum BuiltInPlan {
  STEADY("20 types alike, at an even pace") {
    @Override
    public TrafficPlan plan(double rate, double seconds) {
      return TrafficPlan.of(label(), Phase.of("steady", seconds, rate).with(PhaseField.TYPES, 20));
    }
  },

  HOT_TYPE("one type alone takes it all") {
    @Override
    public TrafficPlan plan(double rate, double seconds) {
      return TrafficPlan.of(label(), Phase.of("hot", seconds, rate));
    }
  },

  ZIPF_TYPES("100 types, the first far ahead of the last (Zipf 1.1)") {
    @Override
    public TrafficPlan plan(double rate, double seconds) {
      Phase zipf = Phase.of("zipf", seconds, rate).with(PhaseField.TYPES, 100);
      return TrafficPlan.of(label(), zipf.with(PhaseField.SKEW, 1.1));
    }
  },

  BURST("a fifth of the time ten times the pace, nearly all of it one type") {
    @Override
    public TrafficPlan plan(double rate, double seconds) {
      double calm = rate / 2.8;
      return TrafficPlan.of(
          label(),
          mixed("calm", 0.4 * seconds, calm),
          mixed("burst", 0.2 * seconds, 10 * calm).with(PhaseField.HOT_SHARE, 0.9),
          mixed("calm again", 0.4 * seconds, calm));
    }
  },

  HOUR_ROLLOVER("the hour ends in the middle of it") {
    @Override
    public TrafficPlan plan(double rate, double seconds) {
      double half = seconds / 2;
      return new TrafficPlan(
          label(),
          3_600 - half,
          List.of(mixed("old hour", half, rate), mixed("new hour", half, rate)));
    }
  },

  LATE_FLOOD("events of up to three hours before come on top of the live ones") {
    @Override
    public TrafficPlan plan(double rate, double seconds) {
      double live = rate / 1.8;
      return TrafficPlan.of(
          label(),
          mixed("live", 0.3 * seconds, live),
          mixed("flood", 0.4 * seconds, 3 * live).with(PhaseField.LATE_SHARE, 2.0 / 3),
          mixed("live again", 0.3 * seconds, live));
    }
  },

  RETRIES("a storm of repeats: half of what comes was sent before") {
    @Override
    public TrafficPlan plan(double rate, double seconds) {
      double calm = rate / 1.4;
      return TrafficPlan.of(
          label(),
          mixed("calm", 0.3 * seconds, calm),
          mixed("storm", 0.4 * seconds, 2 * calm).with(PhaseField.REPEAT_SHARE, 0.5),
          mixed("calm again", 0.3 * seconds, calm));
    }
  },

  QUIET_TYPES("5,000 types alike, each with hardly an event") {
    @Override
    public TrafficPlan plan(double rate, double seconds) {
      return TrafficPlan.of(
          label(), Phase.of("quiet", seconds, rate).with(PhaseField.TYPES, 5_000));
    }
  },

  SLOW_CONSUMER("a consumer takes half of what is produced, then catches up at twice the pace") {
    @Override
    public TrafficPlan plan(double rate, double seconds) {
      double lag = 0.2 * seconds;
      return TrafficPlan.of(
          label(),
          mixed("slow", 0.4 * seconds, 0.5 * rate).with(PhaseField.LAG_SECONDS, lag),
          mixed("catches up", 0.2 * seconds, 2 * rate),
          mixed("keeps up", 0.4 * seconds, rate));
    }
  };

  private final String description;

  BuiltInPlan(String description) {
    this.description = description;
  }

  /** As the command line has it. */
  String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  String description() {
    return description;
  }

  /**
   * The scenario at an average rate.
   *
   * @param rate events a second, on average
   */
  public abstract TrafficPlan plan(double rate, double seconds);

  private static Phase mixed(String name, double seconds, double rate) {
    return Phase.of(name, seconds, rate).with(PhaseField.TYPES, 20).with(PhaseField.SKEW, 1);
  }

  static @Nullable BuiltInPlan of(String label) {
    return Arrays.stream(values()).filter(p -> p.label().equals(label)).findFirst().orElse(null);
  }

  static List<String> labels() {
    return Arrays.stream(values()).map(BuiltInPlan::label).toList();
  }
}
