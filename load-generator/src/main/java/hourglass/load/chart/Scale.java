package hourglass.load.chart;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;

/** Places values of {@code [min, max]} on pixels, evenly or by their logarithm. Immutable. */
public record Scale(double min, double max, boolean logarithmic, double fromPixel, double toPixel) {
  private static final int TICKS = 5;

  /** From 0 to a round number at or above the largest. */
  static Scale linear(double largest, double fromPixel, double toPixel) {
    double step = step(largest);
    double max = largest > 0 ? Math.ceil(largest / step - 1e-9) * step : 1;
    return new Scale(0, max, false, fromPixel, toPixel);
  }

  /** From and to a power of ten. */
  static Scale logarithmic(double smallest, double largest, double fromPixel, double toPixel) {
    double min = Math.pow(10, Math.floor(Math.log10(smallest)));
    double max = Math.pow(10, Math.ceil(Math.log10(Math.max(largest, min * 10))));
    return new Scale(min, max, true, fromPixel, toPixel);
  }

  private static double step(double largest) {
    double ten = Math.pow(10, Math.floor(Math.log10(largest / TICKS)));
    double ratio = largest / TICKS / ten;
    return ten * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
  }

  double at(double value) {
    double part =
        logarithmic
            ? Math.log(Math.max(value, min) / min) / Math.log(max / min)
            : (value - min) / (max - min);
    return fromPixel + Math.min(1, part) * (toPixel - fromPixel);
  }

  /** Round values to write beside the axis. */
  List<Double> ticks() {
    List<Double> ticks = new ArrayList<>();
    if (logarithmic) {
      for (double tick = min; tick <= max * 1.001; tick *= 10) {
        ticks.add(tick);
      }
      return ticks;
    }
    double step = step(max);
    for (int i = 0; i * step <= max * 1.001; i++) {
      ticks.add(i * step);
    }
    return ticks;
  }

  /** Three digits, and a letter for thousands and millions. */
  public static String text(double value) {
    if (value >= 1e6) {
      return digits(value / 1e6) + "M";
    }
    return value >= 1e4 ? digits(value / 1e3) + "k" : digits(value);
  }

  private static String digits(double value) {
    return value == 0
        ? "0"
        : new BigDecimal(value, new MathContext(3)).stripTrailingZeros().toPlainString();
  }
}
