package hourglass.load.chart;

import java.util.Locale;

/** Writes one SVG picture, element by element; coordinates are pixels. Not for several threads. */
final class Svg {
  private final StringBuilder text = new StringBuilder();

  /**
   * @param label what a screen reader says of it
   */
  Svg(int width, int height, String label) {
    add(
        "<svg viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" aria-label=\"%s\">",
        width, height, width, escape(label));
  }

  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  private void add(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  void line(double x1, double y1, double x2, double y2, String style) {
    add(
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>",
        x1, y1, x2, y2, style);
  }

  /** With a word on it that shows when somebody points at it. */
  void bar(double x, double y, double width, double height, String style, String tip) {
    add(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\"><title>%s</title></rect>",
        x, y, width, height, style, escape(tip));
  }

  void cell(double x, double y, double width, double height, String style) {
    add(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\"/>",
        x, y, width, height, style);
  }

  /**
   * @param anchor start, middle or end: which part of the words is at x
   */
  void words(double x, double y, String anchor, String words) {
    add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor, escape(words));
  }

  void curve(CharSequence points, String style) {
    add("<polyline points=\"%s\" class=\"%s\"/>", points, style);
  }

  @Override
  public String toString() {
    return text + "</svg>\n";
  }
}
