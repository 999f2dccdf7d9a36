package hourglass.load.chart;

/**
 * A line of a chart.
 *
 * @param colour from 0; equal ones belong together
 * @param dashed whether it is of another run
 * @param xs as many as {@code ys}, ascending
 * @param ys no point where it is not a number
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Series(String name, int colour, boolean dashed, double[] xs, double[] ys) {
  /** Colours there are. */
  static final int COLOURS = 6;

  String style() {
    return "c" + colour % COLOURS + (dashed ? " dashed" : "");
  }
}
