package hourglass.load.lab;

import hourglass.command.FigureText;
import hourglass.command.Table;
import hourglass.load.command.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Makes the table of a comparison: a line for each layout, and then, if there are several phases,
 * one for each phase and layout.
 */
final class CompareTable {
  /** A column. {@code object} contains its figure; if it is empty, the layout or phase does. */
  private record TableColumn(String heading, String format, String object, String figure) {
    TableColumn(String heading, String format, String figure) {
      this(heading, format, "", figure);
    }

    boolean isIn(Figures figures) {
      return !Double.isNaN(value(figures));
    }

    String cell(Figures figures) {
      return isIn(figures) ? FigureText.format(format, value(figures)) : "-";
    }

    private double value(Figures figures) {
      return (object.isEmpty() ? figures : figures.object(object)).number(figure);
    }
  }

  private static final List<TableColumn> COLUMNS =
      List.of(
          new TableColumn("node max/mean", "%.2f", "node_max_over_mean"),
          new TableColumn("worst second", "%.2f", "node_max_over_mean_worst_second"),
          new TableColumn("at", "%.0f s", "worst_second_at"),
          new TableColumn("bytes max/mean", "%.2f", "node_bytes_max_over_mean"),
          new TableColumn("nodes' count", "%.2f", "node_batches_max_over_mean"),
          new TableColumn("rows", "%,.0f", "rows"),
          new TableColumn("widest row", "%,.0f", "row_columns_max"),
          new TableColumn("events/s", "%,.0f", "events_per_second"),
          new TableColumn("p50 ms", "%,.1f", "latency_ms", "p50"),
          new TableColumn("p99 ms", "%,.1f", "latency_ms", "p99"),
          new TableColumn("max ms", "%,.1f", "latency_ms", "max"),
          new TableColumn("failed", "%,.0f", "events_failed"));

  private record Line(List<String> names, Figures figures) {}

  private CompareTable() {}

  /** Returns the table of a report, without columns for which no line has a figure. */
  static Table of(Figures report) {
    Figures layouts = report.object("layouts");
    List<String> names = List.copyOf(layouts.names());
    int phases = layouts.object(names.get(0)).objects("phases").size();
    List<Line> lines = new ArrayList<>();
    for (String name : names) {
      lines.add(new Line(phases == 1 ? List.of(name) : List.of(name, ""), layouts.object(name)));
    }
    for (int phase = 0; phase < phases && phases > 1; phase++) {
      for (String name : names) {
        Figures figures = layouts.object(name).objects("phases").get(phase);
        lines.add(new Line(List.of(name, figures.text("name")), figures));
      }
    }
    List<TableColumn> columns =
        COLUMNS.stream()
            .filter(each -> lines.stream().anyMatch(line -> each.isIn(line.figures)))
            .toList();
    List<String> headings = new ArrayList<>(phases == 1 ? List.of() : List.of("phase"));
    columns.forEach(each -> headings.add(each.heading));
    Table table = new Table(List.of("layout"), headings);
    for (Line line : lines) {
      table.add(join(line.names, columns.stream().map(each -> each.cell(line.figures))));
    }
    return table;
  }

  private static List<String> join(List<String> names, Stream<String> more) {
    return Stream.concat(names.stream(), more).toList();
  }
}
