package hourglass.load.lab;

import hourglass.load.command.Figures;
import java.util.ArrayList;
import java.util.List;

/** The phases of a comparison as a table, a line a phase and layout; nothing where there is one. */
final class PhaseTable {
  private static final List<String> HEADINGS =
      List.of("phase", "layout", "node max/mean", "worst second", "p50 ms", "p99 ms", "max ms");

  private PhaseTable() {}

  /** The first line is the heading. */
  static List<List<String>> cells(Figures figures) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(HEADINGS);
    Figures layouts = figures.object("layouts");
    List<String> names = List.copyOf(layouts.names());
    int phases = layouts.object(names.get(0)).objects("phases").size();
    for (int phase = 0; phase < phases && phases > 1; phase++) {
      for (String name : names) {
        Figures one = layouts.object(name).objects("phases").get(phase);
        Figures latency = one.object("latency_ms");
        lines.add(
            List.of(
                one.text("name"),
                name,
                CompareTable.number("%.2f", one.number("node_max_over_mean")),
                CompareTable.number("%.2f", one.number("node_max_over_mean_worst_second")),
                CompareTable.number("%,.1f", latency.number("p50")),
                CompareTable.number("%,.1f", latency.number("p99")),
                CompareTable.number("%,.1f", latency.number("max"))));
      }
    }
    return lines.size() > 1 ? CompareTable.withoutEmpty(lines) : lines;
  }
}
