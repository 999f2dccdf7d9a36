package hourglass.load.lab;

import hourglass.load.command.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** A comparison as a table, a line a layout. */
final class CompareTable {
  private static final String NOTHING = "-";
  private static final List<String> HEADINGS =
      List.of(
          "layout",
          "node max/mean",
          "worst second",
          "at",
          "bytes max/mean",
          "nodes' count",
          "rows",
          "widest row",
          "events/s",
          "p50 ms",
          "p99 ms",
          "max ms",
          "failed");

  private CompareTable() {}

  /** The first line is the heading. */
  static List<List<String>> cells(Figures figures) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(HEADINGS);
    Figures layouts = figures.object("layouts");
    for (String name : layouts.names()) {
      Figures layout = layouts.object(name);
      Figures latency = layout.object("latency_ms");
      lines.add(
          List.of(
              name,
              number("%.2f", layout.number("node_max_over_mean")),
              number("%.2f", layout.number("node_max_over_mean_worst_second")),
              number("%.0f s", layout.number("worst_second_at")),
              number("%.2f", layout.number("node_bytes_max_over_mean")),
              number("%.2f", layout.number("node_batches_max_over_mean")),
              number("%,.0f", layout.number("rows")),
              number("%,.0f", layout.number("row_columns_max")),
              number("%,.0f", layout.number("events_per_second")),
              number("%,.1f", latency.number("p50")),
              number("%,.1f", latency.number("p99")),
              number("%,.1f", latency.number("max")),
              number("%,.0f", layout.number("events_failed"))));
    }
    return withoutEmpty(lines);
  }

  /** Without the columns that have nothing in any line, as latencies on a ring. */
  static List<List<String>> withoutEmpty(List<List<String>> lines) {
    int[] columns =
        IntStream.range(0, lines.get(0).size())
            .filter(i -> lines.stream().skip(1).anyMatch(line -> !line.get(i).equals(NOTHING)))
            .toArray();
    return lines.stream().map(line -> IntStream.of(columns).mapToObj(line::get).toList()).toList();
  }

  /** A dash where it is not a number. */
  static String number(String format, double value) {
    return Double.isNaN(value) ? NOTHING : String.format(Locale.ROOT, format, value);
  }

  /** Lines as text: their first columns to the left, all others to the right. */
  static String text(List<List<String>> lines) {
    int[] widths = new int[lines.get(0).size()];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> line : lines) {
      text.append("  ").append(String.format("%-" + widths[0] + "s", line.get(0)));
      for (int i = 1; i < widths.length; i++) {
        text.append(String.format("  %" + widths[i] + "s", line.get(i)));
      }
      text.append(System.lineSeparator());
    }
    return text.toString();
  }
}
