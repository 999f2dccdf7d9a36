package hourglass.config.terminal;

import java.util.List;

/**
 * Draws counts as bars in eighths of a character: horizontal ones on lines of their own, or
 * vertical ones side by side.
 */
final class Bars {
  private static final int WIDTH = 40;
  private static final String LYING = " ▏▎▍▌▋▊▉█";
  private static final String STANDING = " ▁▂▃▄▅▆▇█";

  private Bars() {}

  /**
   * Returns a horizontal bar whose length is the count's share of the greatest one. It is never
   * empty for a count above 0.
   */
  static String lying(long count, long max) {
    int eighths = eighths(count, max, WIDTH * 8);
    String rest = eighths % 8 == 0 ? "" : String.valueOf(LYING.charAt(eighths % 8));
    return "█".repeat(eighths / 8) + rest;
  }

  /** Returns vertical bars, one character for each count. */
  static String standing(List<Long> counts, long max) {
    StringBuilder bars = new StringBuilder(counts.size());
    counts.forEach(count -> bars.append(STANDING.charAt(eighths(count, max, 8))));
    return bars.toString();
  }

  private static int eighths(long count, long max, int full) {
    return count <= 0 ? 0 : Math.max(1, (int) Math.round((double) count / max * full));
  }
}
