package hourglass.load.lab.traffic;

import java.util.List;

/**
 * A scenario of the laboratory: phases, one after the other. Immutable.
 *
 * @param startSecond where in the hour the first event lies, [0, 3600)
 * @param phases at least one
 */
record TrafficPlan(String name, double startSecond, List<Phase> phases) {
  /** Far from the ends of the hour. */
  static final double START_SECOND = 600;

  TrafficPlan {
    phases = List.copyOf(phases);
  }

  static TrafficPlan of(String name, Phase... phases) {
    return new TrafficPlan(name, START_SECOND, List.of(phases));
  }

  double seconds() {
    return phases.stream().mapToDouble(phase -> phase.get(PhaseField.SECONDS)).sum();
  }

  long events() {
    return phases.stream().mapToLong(Phase::events).sum();
  }

  int types() {
    return (int) phases.stream().mapToDouble(p -> p.get(PhaseField.TYPES)).max().orElse(1);
  }
}
