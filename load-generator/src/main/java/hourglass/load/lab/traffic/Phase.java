package hourglass.load.lab.traffic;

import hourglass.load.command.Figures;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A part of a scenario with one kind of traffic. Immutable.
 *
 * @param values the fields that differ from their defaults
 */
record Phase(String name, Map<Field, Double> values) {
  /** The fields that a phase may set, with their defaults and ranges. */
  enum Field {
    SECONDS(Double.NaN, 0.001, 86_400),

    /** The events a second, at an even pace. */
    RATE(Double.NaN, 0.001, 10_000_000),

    TYPES(1, 1, 100_000),

    /** The Zipf exponent of the types; with 0 all are equally frequent. */
    SKEW(0, 0, 10),

    /** The share of events that have the first type, in addition to those by the skew. */
    HOT_SHARE(0, 0, 1),

    PAYLOAD_BYTES(200, 100, 1 << 20),

    LATE_SHARE(0, 0, 1),

    LATE_SECONDS(10_800, 0, 2_592_000),

    REPEAT_SHARE(0, 0, 1),

    /** The greatest age of a repeated event. */
    REPEAT_SECONDS(10, 0, 86_400),

    /**
     * The lag of all events at the end of the phase. It changes evenly from that of the phase
     * before.
     */
    LAG_SECONDS(0, 0, 86_400);

    final double byDefault;
    private final double min;
    private final double max;

    Field(double byDefault, double min, double max) {
      this.byDefault = byDefault;
      this.min = min;
      this.max = max;
    }

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    String range() {
      return "%s to %s".formatted(Figures.decimal(min), Figures.decimal(max));
    }

    boolean allows(double value) {
      return value >= min && value <= max && (this != TYPES || value == Math.rint(value));
    }

    static @Nullable Field of(String label) {
      return Arrays.stream(values()).filter(f -> f.label().equals(label)).findFirst().orElse(null);
    }

    static List<String> labels() {
      return Arrays.stream(values()).map(Field::label).toList();
    }
  }

  Phase {
    values = Map.copyOf(values);
  }

  static Phase of(String name, double seconds, double rate) {
    return new Phase(name, Map.of(Field.SECONDS, seconds, Field.RATE, rate));
  }

  Phase with(Field field, double value) {
    Map<Field, Double> changed = new EnumMap<>(values);
    changed.put(field, value);
    return new Phase(name, changed);
  }

  double get(Field field) {
    return values.getOrDefault(field, field.byDefault);
  }

  /** Returns the number of events, rounded so that phases keep their pace. */
  long events() {
    return Math.round(get(Field.SECONDS) * get(Field.RATE));
  }
}
