package hourglass.load.chart;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * Lines over a common axis, with a legend.
 *
 * @param logarithmic whether the upright axis is
 * @param marks values to write under the level axis, and {@code markTexts} what to write
 */
public record LineChart(
    String title,
    String unit,
    boolean logarithmic,
    List<Series> series,
    List<Double> marks,
    List<String> markTexts) {
  private static final int WIDTH = 760;
  private static final int HEIGHT = 260;
  private static final int LEFT = 60;
  private static final int RIGHT = 725;
  private static final int TOP = 30;
  private static final int BOTTOM = 220;

  /** A chart over seconds, from 0 on. */
  public static LineChart overSeconds(
      String title, String unit, boolean logarithmic, List<Series> series) {
    double last = series.stream().flatMapToDouble(s -> Arrays.stream(s.xs())).max().orElse(1);
    List<Double> marks = Scale.linear(last, 0, 1).ticks();
    List<String> texts = marks.stream().map(mark -> Scale.text(mark) + " s").toList();
    return new LineChart(title, unit, logarithmic, series, marks, texts);
  }

  /** The picture. */
  public String svg() {
    Svg svg = new Svg(WIDTH, HEIGHT, title);
    Scale y = upright();
    Scale x = new Scale(marks.get(0), Math.max(last(), marks.get(0) + 1e-9), false, LEFT, RIGHT);
    svg.words(LEFT, 16, "start", title + (unit.isEmpty() ? "" : " (" + unit + ")"));
    for (double tick : y.ticks()) {
      svg.line(LEFT, y.at(tick), RIGHT, y.at(tick), "grid");
      svg.words(LEFT - 6, y.at(tick) + 4, "end", Scale.text(tick));
    }
    for (int i = 0; i < marks.size(); i++) {
      svg.words(x.at(marks.get(i)), BOTTOM + 16, "middle", markTexts.get(i));
    }
    double legend = LEFT;
    for (Series each : series) {
      curve(svg, each, x, y);
      svg.line(legend, HEIGHT - 6, legend + 18, HEIGHT - 6, each.style());
      svg.words(legend + 22, HEIGHT - 2, "start", each.name());
      legend += 36 + 7 * each.name().length();
    }
    return svg.toString();
  }

  private double last() {
    double largest = series.stream().flatMapToDouble(s -> Arrays.stream(s.xs())).max().orElse(0);
    return Math.max(largest, marks.get(marks.size() - 1));
  }

  private Scale upright() {
    double[] values =
        series.stream()
            .flatMapToDouble(s -> Arrays.stream(s.ys()))
            .filter(value -> value > 0)
            .toArray();
    double largest = DoubleStream.of(values).max().orElse(1);
    double smallest = DoubleStream.of(values).min().orElse(1);
    return logarithmic
        ? Scale.logarithmic(smallest, largest, BOTTOM, TOP)
        : Scale.linear(largest, BOTTOM, TOP);
  }

  private static void curve(Svg svg, Series series, Scale x, Scale y) {
    StringBuilder points = new StringBuilder();
    for (int i = 0; i < series.xs().length; i++) {
      double value = series.ys()[i];
      if (!Double.isNaN(value)) {
        points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x.at(series.xs()[i]), y.at(value)));
      }
    }
    svg.curve(points, series.style());
  }
}
