package hourglass.load.chart;

import java.util.Arrays;
import java.util.List;

/**
 * Bars beside one another.
 *
 * @param labels of the bars; written where there is room, shown for all when pointed at
 * @param values as many
 * @param before those of another run, as ticks over the bars; may be empty
 * @param mark a level to draw a line at, such as the mean; not a number: none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record BarChart(
    String title, int colour, List<String> labels, double[] values, double[] before, double mark) {
  private static final int WIDTH = 370;
  private static final int HEIGHT = 180;
  private static final int LEFT = 44;
  private static final int RIGHT = 362;
  private static final int TOP = 28;
  private static final int BOTTOM = 155;

  /** With more than that, labels would cover each other. */
  private static final int LABELS_MAX = 9;

  /** The picture. */
  public String svg() {
    Svg svg = new Svg(WIDTH, HEIGHT, title);
    double largest =
        Math.max(Arrays.stream(values).max().orElse(0), Arrays.stream(before).max().orElse(0));
    Scale y = Scale.linear(largest, BOTTOM, TOP);
    svg.words(LEFT, 16, "start", title);
    for (double tick : y.ticks()) {
      svg.line(LEFT, y.at(tick), RIGHT, y.at(tick), "grid");
      svg.words(LEFT - 5, y.at(tick) + 4, "end", Scale.text(tick));
    }
    double room = (double) (RIGHT - LEFT) / Math.max(1, values.length);
    double width = Math.max(0.5, Math.min(48, room * 0.8));
    for (int i = 0; i < values.length; i++) {
      double x = LEFT + room * i + (room - width) / 2;
      String tip = labels.get(i) + ": " + Scale.text(values[i]);
      svg.bar(
          x, y.at(values[i]), width, BOTTOM - y.at(values[i]), "f" + colour % Series.COLOURS, tip);
      if (i < before.length) {
        svg.line(x, y.at(before[i]), x + width, y.at(before[i]), "before");
      }
      if (values.length <= LABELS_MAX) {
        svg.words(x + width / 2, BOTTOM + 16, "middle", labels.get(i));
      }
    }
    if (!Double.isNaN(mark)) {
      svg.line(LEFT, y.at(mark), RIGHT, y.at(mark), "mark");
    }
    return svg.toString();
  }
}
