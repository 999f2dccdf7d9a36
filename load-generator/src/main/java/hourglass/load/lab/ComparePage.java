package hourglass.load.lab;

import hourglass.load.chart.BarChart;
import hourglass.load.chart.HeatMap;
import hourglass.load.chart.HtmlPage;
import hourglass.load.chart.LineChart;
import hourglass.load.chart.Scale;
import hourglass.load.chart.Series;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A comparison with pictures. Those of a run before lie over it, dashed, for the layouts that have
 * the same names.
 */
final class ComparePage {
  private static final List<Double> NINES = List.of(0.0, 1.0, 2.0, 3.0, 4.0, 5.0);
  private static final List<String> NINES_TEXTS =
      List.of("0", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %");

  private final Figures run;
  private final @Nullable Figures before;
  private final List<String> layouts;

  ComparePage(Figures run, @Nullable Figures before) {
    this.run = run;
    this.before = before;
    layouts = List.copyOf(run.object("layouts").names());
  }

  String html() {
    HtmlPage page = new HtmlPage(run.text("title"));
    page.table(CompareTable.cells(run));
    if (before != null) {
      page.heading("Laid over: " + before.text("title"));
      page.paragraph("Dashed lines, and lines over bars, are of this run.");
      page.table(CompareTable.cells(before));
    }
    List<List<String>> phases = PhaseTable.cells(run);
    if (phases.size() > 1) {
      page.heading("By phase");
      page.table(phases);
    }
    page.heading("Writes by node");
    page.paragraph(
        "Nodes in the order of their load; the dotted line is the mean. Even bars are what a layout is for.");
    page.pictures(layouts.stream().map(this::nodes).toList());
    page.heading("Writes by node over time");
    page.paragraph(
        "A line a node; its colour is its load in times the mean of all nodes at that time.");
    page.pictures(List.of(HeatMap.legend()));
    page.pictures(layouts.stream().map(this::heat).toList());
    page.heading("Rows by width");
    page.paragraph("How many rows have how many columns; each step is that number up to the next.");
    page.pictures(layouts.stream().map(this::widths).toList());
    times(page);
    page.heading("Settings");
    Figures settings = run.object("settings");
    page.facts(settings.names().stream().map(name -> List.of(name, settings.text(name))).toList());
    return page.text();
  }

  private void times(HtmlPage page) {
    List<Series> curves = series(ComparePage::curve);
    if (curves.isEmpty()) {
      return;
    }
    page.heading("Latency and throughput");
    page.paragraph(
        run.object("settings").names().contains("ring_nodes")
            ? "By a model: each node takes one write after the other, at the pace of --node-rate."
            : "Latency is from the intended time of sending, so that a stall counts for all that"
                + " waited behind it.");
    page.pictures(
        List.of(
            new LineChart("Latency by percentile", "ms", true, curves, NINES, NINES_TEXTS).svg(),
            LineChart.overSeconds(
                    "Latency over time, 99th percentile",
                    "ms",
                    true,
                    series((layout, style) -> bySecond(layout, style, "p99_ms")))
                .svg(),
            LineChart.overSeconds("Throughput", "events/s", false, series(ComparePage::done))
                .svg()));
  }

  /** Which line, before its points are known. */
  private record Style(String name, int colour, boolean dashed) {}

  /** Makes the line of a layout, if it has one. */
  @FunctionalInterface
  private interface Line {
    Series of(Figures layout, Style style);
  }

  private List<Series> series(Line line) {
    List<Series> all = new ArrayList<>();
    for (int i = 0; i < layouts.size(); i++) {
      String name = layouts.get(i);
      all.add(line.of(layout(run, name), new Style(name, i, false)));
      if (before != null) {
        all.add(line.of(layout(before, name), new Style(name + " before", i, true)));
      }
    }
    all.removeIf(series -> series.xs().length == 0);
    return all;
  }

  private static Figures layout(Figures of, String name) {
    return of.object("layouts").object(name);
  }

  /** Over the number of nines, up to the last that the axis has. */
  private static Series curve(Figures layout, Style style) {
    List<double[]> points =
        layout.tables("latency_curve_ms").stream().filter(point -> point[0] < 100).toList();
    double[] nines =
        points.stream().mapToDouble(point -> -Math.log10(1 - point[0] / 100)).toArray();
    double[] millis = points.stream().mapToDouble(point -> point[1]).toArray();
    return new Series(style.name(), style.colour(), style.dashed(), nines, millis);
  }

  private static Series bySecond(Figures layout, Style style, String name) {
    Figures seconds = layout.object("by_second");
    return new Series(
        style.name(),
        style.colour(),
        style.dashed(),
        seconds.numbers("second"),
        seconds.numbers(name));
  }

  private static Series done(Figures layout, Style style) {
    double[] events = layout.numbers("events_done_by_second");
    double[] seconds = IntStream.range(0, events.length).asDoubleStream().toArray();
    return new Series(style.name(), style.colour(), style.dashed(), seconds, events);
  }

  private String nodes(String name) {
    Figures nodes = layout(run, name).object("nodes");
    Comparator<String> byWrites =
        Comparator.comparingDouble(node -> nodes.object(node).number("writes"));
    List<String> names = nodes.names().stream().sorted(byWrites.reversed()).toList();
    double[] writes =
        names.stream().mapToDouble(node -> nodes.object(node).number("writes")).toArray();
    double mean = Arrays.stream(writes).average().orElse(0);
    String title =
        String.format(
            Locale.ROOT,
            "%s: %.2f times the mean at most",
            name,
            layout(run, name).number("node_max_over_mean"));
    return new BarChart(title, layouts.indexOf(name), names, writes, nodesBefore(name), mean).svg();
  }

  private double[] nodesBefore(String name) {
    if (before == null) {
      return new double[0];
    }
    Figures nodes = layout(before, name).object("nodes");
    double[] ascending =
        nodes.names().stream()
            .mapToDouble(node -> nodes.object(node).number("writes"))
            .sorted()
            .toArray();
    return IntStream.range(0, ascending.length)
        .mapToDouble(i -> ascending[ascending.length - 1 - i])
        .toArray();
  }

  private String heat(String name) {
    Figures layout = layout(run, name);
    return new HeatMap(
            name, layout.number("interval_seconds"), layout.tables("node_writes_by_interval"))
        .svg();
  }

  private String widths(String name) {
    List<Figures> steps = layout(run, name).objects("rows_by_columns");
    List<String> labels =
        steps.stream().map(step -> Scale.text(step.number("columns_from"))).toList();
    double[] rows = steps.stream().mapToDouble(step -> step.number("rows")).toArray();
    return new BarChart(
            name + ": rows by columns",
            layouts.indexOf(name),
            labels,
            rows,
            new double[0],
            Double.NaN)
        .svg();
  }
}
