package hourglass.load.lab;

import hourglass.load.lab.Phase.Twist;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The scenarios. Each is scaled to the average rate and the length of a run. Here the length is 1,
 * and rates are relative.
 */
enum Scenario {
  /** Events of 20 types, all equally frequent, at an even pace. */
  STEADY(Phase.of("steady", 1, 1, 20, 0)),

  HOT_TYPE(Phase.of("hot", 1, 1, 1, 0)),

  ZIPF_TYPES(Phase.of("zipf", 1, 1, 100, 1.1)),

  /** Traffic at ten times the pace for a fifth of the time, nearly all of one type. */
  BURST(
      mixed("calm", 0.4, 1),
      mixed("burst", 0.2, 10).with(Twist.HOT, 0.9),
      mixed("calm again", 0.4, 1)),

  HOUR_ROLLOVER(mixed("old hour", 0.5, 1), mixed("new hour", 0.5, 1)),

  /** Live events, to which events of up to three hours before are added. */
  LATE_FLOOD(
      mixed("live", 0.3, 1),
      mixed("flood", 0.4, 3).with(Twist.LATE, 2.0 / 3),
      mixed("live again", 0.3, 1)),

  /** A storm in which half of the events were sent before. */
  RETRIES(
      mixed("calm", 0.3, 1),
      mixed("storm", 0.4, 2).with(Twist.REPEATED, 0.5),
      mixed("calm again", 0.3, 1)),

  /** Events of 5,000 types, all equally frequent, each with hardly an event. */
  QUIET_TYPES(Phase.of("quiet", 1, 1, 5_000, 0)),

  /**
   * The events of a consumer that keeps up with only half of them, then catches up at twice the
   * pace.
   */
  SLOW_CONSUMER(
      mixed("slow", 0.4, 0.5).with(Twist.LAGGING, 0.2),
      mixed("catches up", 0.2, 2),
      mixed("keeps up", 0.4, 1));

  /** The usual start, which is far from the ends of the hour. */
  static final double START_SECOND = 600;

  @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
  private final List<Phase> phases;

  Scenario(Phase... phases) {
    this.phases = List.of(phases);
  }

  private static Phase mixed(String name, double seconds, double rate) {
    return Phase.of(name, seconds, rate, 20, 1);
  }

  /** Returns the phases for an average rate in events a second. */
  List<Phase> phases(double rate, double seconds) {
    double sum = phases.stream().mapToDouble(each -> each.seconds() * each.rate()).sum();
    double unit = rate / (Math.rint(sum * 1e6) / 1e6); // shares are decimal fractions
    return phases.stream().map(each -> each.scaled(seconds, unit)).toList();
  }

  /** Returns the number of event types. */
  int types() {
    return phases.stream().mapToInt(Phase::types).max().orElse(1);
  }

  /** Returns the second of its hour in which the first event is due. */
  double startSecond(double seconds) {
    return this == HOUR_ROLLOVER ? 3_600 - seconds / 2 : START_SECOND;
  }

  /** Returns the name on the command line, such as {@code hot-type}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Reads the names of the command line. */
  static final class Converter implements ITypeConverter<Scenario> {
    @Override
    public Scenario convert(String name) {
      return Arrays.stream(values())
          .filter(each -> each.toString().equals(name))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(name + ", want one of " + Arrays.toString(values())));
    }
  }
}
