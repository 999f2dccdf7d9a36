package hourglass.load.lab;

import hourglass.load.command.Figures;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A comparison as tables whose first lines are headings. */
final class CompareTable {
  private static final String NOTHING = "-";

  /**
   * @param object that holds the figure, in those of a layout or phase; empty: themselves
   */
  private record TableColumn(String heading, String format, String object, String figure) {
    TableColumn(String heading, String format, String figure) {
      this(heading, format, "", figure);
    }

    String cell(Figures figures) {
      double value = (object.isEmpty() ? figures : figures.object(object)).number(figure);
      return Double.isNaN(value) ? NOTHING : String.format(Locale.ROOT, format, value);
    }
  }

  private static final TableColumn RATIO =
      new TableColumn("node max/mean", "%.2f", "node_max_over_mean");
  private static final TableColumn WORST =
      new TableColumn("worst second", "%.2f", "node_max_over_mean_worst_second");
  private static final TableColumn P50 = new TableColumn("p50 ms", "%,.1f", "latency_ms", "p50");
  private static final TableColumn P99 = new TableColumn("p99 ms", "%,.1f", "latency_ms", "p99");
  private static final TableColumn MAX = new TableColumn("max ms", "%,.1f", "latency_ms", "max");

  private static final List<TableColumn> LAYOUT =
      List.of(
          RATIO,
          WORST,
          new TableColumn("at", "%.0f s", "worst_second_at"),
          new TableColumn("bytes max/mean", "%.2f", "node_bytes_max_over_mean"),
          new TableColumn("nodes' count", "%.2f", "node_batches_max_over_mean"),
          new TableColumn("rows", "%,.0f", "rows"),
          new TableColumn("widest row", "%,.0f", "row_columns_max"),
          new TableColumn("events/s", "%,.0f", "events_per_second"),
          P50,
          P99,
          MAX,
          new TableColumn("failed", "%,.0f", "events_failed"));
  private static final List<TableColumn> PHASE = List.of(RATIO, WORST, P50, P99, MAX);

  private CompareTable() {}

  static List<List<String>> layouts(Figures figures) {
    Figures layouts = figures.object("layouts");
    List<List<String>> lines = new ArrayList<>();
    lines.add(line(List.of("layout"), LAYOUT, TableColumn::heading));
    for (String name : layouts.names()) {
      Figures layout = layouts.object(name);
      lines.add(line(List.of(name), LAYOUT, column -> column.cell(layout)));
    }
    return withoutEmpty(lines);
  }

  static List<List<String>> phases(Figures figures) {
    Figures layouts = figures.object("layouts");
    List<String> names = List.copyOf(layouts.names());
    List<List<String>> lines = new ArrayList<>();
    lines.add(line(List.of("phase", "layout"), PHASE, TableColumn::heading));
    int phases = layouts.object(names.get(0)).objects("phases").size();
    for (int i = 0; i < phases && phases > 1; i++) {
      for (String name : names) {
        Figures phase = layouts.object(name).objects("phases").get(i);
        lines.add(line(List.of(phase.text("name"), name), PHASE, column -> column.cell(phase)));
      }
    }
    return lines.size() > 1 ? withoutEmpty(lines) : lines;
  }

  private static List<String> line(
      List<String> names, List<TableColumn> columns, Function<TableColumn, String> cell) {
    return Stream.concat(names.stream(), columns.stream().map(cell)).toList();
  }

  /** Columns may be empty in all lines, as latencies on a ring. */
  private static List<List<String>> withoutEmpty(List<List<String>> lines) {
    int[] columns =
        IntStream.range(0, lines.get(0).size())
            .filter(i -> lines.stream().skip(1).anyMatch(line -> !line.get(i).equals(NOTHING)))
            .toArray();
    return lines.stream().map(line -> IntStream.of(columns).mapToObj(line::get).toList()).toList();
  }

  static String text(List<List<String>> lines) {
    StringBuilder text = new StringBuilder();
    int[] widths =
        IntStream.range(0, lines.get(0).size())
            .map(i -> lines.stream().mapToInt(line -> line.get(i).length()).max().orElse(0))
            .toArray();
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
