package hourglass.config.terminal;

import java.util.List;

/** Counts as bars of eighths of a character: lying ones on lines of their own, or standing ones. */
final class Bars {
  private static final int WIDTH = 40;
  private static final String LYING = " ▏▎▍▌▋▊▉█";
  private static final String STANDING = " ▁▂▃▄▅▆▇█";

  private Bars() {}

  /** As long as the count is a part of the greatest one; never empty for a count. */
  static String lying(long count, long max) {
    int eighths = eighths(count, max, WIDTH * 8);
    String rest = eighths % 8 == 0 ? "" : String.valueOf(LYING.charAt(eighths % 8));
    return "█".repeat(eighths / 8) + rest;
  }

  /** One character for each count. */
  static String standing(List<Long> counts, long max) {
    StringBuilder bars = new StringBuilder(counts.size());
    counts.forEach(count -> bars.append(STANDING.charAt(eighths(count, max, 8))));
    return bars.toString();
  }

  private static int eighths(long count, long max, int full) {
    return count <= 0 ? 0 : Math.max(1, (int) Math.round((double) count / max * full));
  }
}
