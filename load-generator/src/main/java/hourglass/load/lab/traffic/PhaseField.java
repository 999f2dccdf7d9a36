package hourglass.load.lab.traffic;

import hourglass.load.command.Figures;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The fields of a phase, with their defaults and ranges. */
enum PhaseField {
  SECONDS(Double.NaN, 0.001, 86_400),

  /** Events a second, at an even pace. */
  RATE(Double.NaN, 0.001, 10_000_000),

  TYPES(1, 1, 100_000),

  /** Zipf exponent of the types; 0: all alike. */
  SKEW(0, 0, 10),

  /** Share of events of the first type, whatever the skew. */
  HOT_SHARE(0, 0, 1),

  PAYLOAD_BYTES(200, 100, 1 << 20),

  LATE_SHARE(0, 0, 1),

  LATE_SECONDS(10_800, 0, 2_592_000),

  REPEAT_SHARE(0, 0, 1),

  /** The greatest age of a repeated event. */
  REPEAT_SECONDS(10, 0, 86_400),

  /** The lag of all events at its end; it changes evenly from that of the phase before. */
  LAG_SECONDS(0, 0, 86_400);

  final double byDefault;
  private final double min;
  private final double max;

  PhaseField(double byDefault, double min, double max) {
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

  static @Nullable PhaseField of(String label) {
    return Arrays.stream(values()).filter(f -> f.label().equals(label)).findFirst().orElse(null);
  }

  static List<String> labels() {
    return Arrays.stream(values()).map(PhaseField::label).toList();
  }
}
