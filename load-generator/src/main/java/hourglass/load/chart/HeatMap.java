package hourglass.load.chart;

import java.util.List;

/**
 * How far each of several rows lies from the mean of all, over time: a cell's colour says how many
 * times the mean it has.
 *
 * @param loads by interval, the rows of each; as many in all
 */
public record HeatMap(String title, double secondsOfInterval, List<double[]> loads) {
  /** Steps of the colours, in times the mean; the last one is all above. */
  private static final double[] STEPS = {0.1, 0.5, 0.8, 1.2, 1.5, 2, 3, 6};

  private static final int WIDTH = 370;
  private static final int LEFT = 8;
  private static final int RIGHT = 362;
  private static final int TOP = 24;

  /** The picture. */
  public String svg() {
    int rows = loads.isEmpty() ? 0 : loads.get(0).length;
    double height = Math.max(0.8, Math.min(14, 150.0 / Math.max(1, rows)));
    int bottom = TOP + (int) Math.ceil(rows * height);
    Svg svg = new Svg(WIDTH, bottom + 22, title);
    svg.words(LEFT, 16, "start", title);
    double width = (double) (RIGHT - LEFT) / Math.max(1, loads.size());
    for (int row = 0; row < rows; row++) {
      row(svg, row, TOP + row * height, width, height);
    }
    svg.words(LEFT, bottom + 16, "start", "0 s");
    svg.words(RIGHT, bottom + 16, "end", Scale.text(loads.size() * secondsOfInterval) + " s");
    return svg.toString();
  }

  /** Neighbours of one colour are one rectangle, which keeps an even picture small. */
  private void row(Svg svg, int row, double y, double width, double height) {
    int from = 0;
    for (int at = 1; at <= loads.size(); at++) {
      if (at == loads.size() || step(at, row) != step(from, row)) {
        svg.cell(LEFT + from * width, y, (at - from) * width, height, "h" + step(from, row));
        from = at;
      }
    }
  }

  private int step(int interval, int row) {
    double[] all = loads.get(interval);
    double sum = 0;
    for (double each : all) {
      sum += each;
    }
    double ratio = sum == 0 ? 0 : all[row] * all.length / sum;
    int step = 0;
    while (step < STEPS.length && ratio > STEPS[step]) {
      step++;
    }
    return step;
  }

  /** What the colours mean, once for all maps of a page. */
  public static String legend() {
    Svg svg = new Svg(WIDTH * 2, 34, "colours of the heat maps");
    for (int step = 0; step <= STEPS.length; step++) {
      String words =
          step == STEPS.length
              ? "over " + Scale.text(STEPS[step - 1])
              : "to " + Scale.text(STEPS[step]);
      svg.cell(LEFT + step * 78, 2, 70, 12, "h" + step);
      svg.words(LEFT + step * 78, 28, "start", words);
    }
    return svg.toString();
  }
}
