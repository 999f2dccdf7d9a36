package hourglass.load.lab.traffic;

import java.util.EnumMap;
import java.util.Map;

/** A part of a scenario with one kind of traffic; its values differ from the defaults. */
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

  /** Rounded, so that phases keep their pace. */
  long events() {
    return Math.round(get(PhaseField.SECONDS) * get(PhaseField.RATE));
  }
}
