package hourglass.load.lab.traffic;

import java.util.EnumMap;
import java.util.Map;

/**
 * A part of a scenario in which the traffic is of one kind. Immutable.
 *
 * @param values all fields that are not as by default
 */
record Phase(String name, Map<PhaseField, Double> values) {
  Phase {
    values = Map.copyOf(values);
  }

  static Phase of(String name, double seconds, double rate) {
    return new Phase(name, Map.of(PhaseField.SECONDS, seconds, PhaseField.RATE, rate));
  }

  Phase with(PhaseField field, double value) {
    Map<PhaseField, Double> changed = new EnumMap<>(values);
    changed.put(field, value);
    return new Phase(name, changed);
  }

  double get(PhaseField field) {
    return values.getOrDefault(field, field.byDefault);
  }

  /** Rounded, so that phases keep the pace they ask for. */
  long events() {
    return Math.round(get(PhaseField.SECONDS) * get(PhaseField.RATE));
  }
}
