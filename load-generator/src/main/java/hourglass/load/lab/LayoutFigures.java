package hourglass.load.lab;

import hourglass.load.lab.traffic.Schedule;
import hourglass.load.send.RunReport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Every figure of a layout, as a program reads it. */
final class LayoutFigures {
  private static final int ROWS_SHOWN = 10;
  private static final double[] CURVE = {
    0, 10, 25, 50, 75, 90, 95, 98, 99, 99.5, 99.8, 99.9, 99.95, 99.99, 99.999, 100
  };

  private LayoutFigures() {}

  static Map<String, @Nullable Object> of(LayoutResult result) {
    Placing placing = result.placing();
    NodeLoads loads = placing.loads();
    Collection<RowLoad> rows = placing.rows();
    LatencyLog latencies = result.latencies();
    Map<String, @Nullable Object> figures = new LinkedHashMap<>();
    figures.put("events", result.written());
    figures.put("events_failed", result.failed());
    figures.put("first_trouble", result.trouble());
    figures.put("seconds", result.seconds());
    figures.put("events_per_second", result.eventsPerSecond());
    figures.put("node_max_over_mean", NodeLoads.maxOverMean(loads.writes()));
    figures.put("node_max_over_mean_worst_second", loads.worstSecond());
    figures.put("worst_second_at", loads.worstSecondAt() < 0 ? null : loads.worstSecondAt());
    figures.put("node_bytes_max_over_mean", NodeLoads.maxOverMean(loads.bytes()));
    figures.put("node_batches_max_over_mean", maxOverMean(result.nodeCounts()));
    figures.put("rows", rows.size());
    figures.put("row_columns_max", rows.stream().mapToLong(RowLoad::columns).max().orElse(0));
    figures.put("row_bytes_max", rows.stream().mapToLong(RowLoad::bytes).max().orElse(0));
    figures.put(
        "row_writes_per_second_max",
        rows.stream().mapToInt(RowLoad::writesPerSecondMax).max().orElse(0));
    figures.put("latency_ms", latencies == null ? null : RunReport.latencies(latencies.whole()));
    figures.put("nodes", nodes(placing, result.nodeCounts()));
    figures.put("widest_rows", widest(rows, placing.nodes().names()));
    figures.put("rows_by_columns", byColumns(rows));
    figures.put("phases", phases(result));
    figures.put("latency_curve_ms", latencies == null ? null : curve(latencies.whole()));
    figures.put("by_second", latencies == null ? null : bySecond(latencies));
    figures.put(
        "events_done_by_second",
        latencies == null ? null : LongStream.of(latencies.doneBySecond()).boxed().toList());
    figures.put("interval_seconds", loads.intervalSeconds());
    figures.put(
        "node_writes_by_interval",
        loads.intervals().stream().map(all -> LongStream.of(all).boxed().toList()).toList());
    return figures;
  }

  private static double maxOverMean(Map<String, Long> counts) {
    return NodeLoads.maxOverMean(counts.values().stream().mapToLong(Long::longValue).toArray());
  }

  private static Map<String, Object> nodes(Placing placing, Map<String, Long> counts) {
    NodeLoads loads = placing.loads();
    double sum = LongStream.of(loads.writes()).sum();
    Map<String, Object> nodes = new LinkedHashMap<>();
    for (int node = 0; node < loads.writes().length; node++) {
      Map<String, @Nullable Object> one = new LinkedHashMap<>();
      one.put("writes", loads.writes()[node]);
      one.put("bytes", loads.bytes()[node]);
      one.put("share", loads.writes()[node] / Math.max(sum, 1));
      String name = placing.nodes().names().get(node);
      one.put("batches_counted_by_node", counts.get(name));
      nodes.put(name, one);
    }
    return nodes;
  }

  private static List<Object> widest(Collection<RowLoad> rows, List<String> names) {
    return rows.stream()
        .sorted(Comparator.comparingLong(RowLoad::columns).reversed().thenComparing(RowLoad::key))
        .limit(ROWS_SHOWN)
        .<Object>map(row -> row(row, names))
        .toList();
  }

  private static Map<String, Object> row(RowLoad row, List<String> names) {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("row", row.key().toString());
    one.put("node", names.get(row.nodes()[0]));
    one.put("columns", row.columns());
    one.put("writes", row.writes());
    one.put("bytes", row.bytes());
    one.put("writes_per_second_max", row.writesPerSecondMax());
    return one;
  }

  /** How many rows have 1, 2 to 4, 5 to 9, 10 to 19 ... columns. */
  private static List<Object> byColumns(Collection<RowLoad> rows) {
    TreeMap<Long, Long> counts = new TreeMap<>();
    rows.forEach(row -> counts.merge(stepBelow(row.columns()), 1L, Long::sum));
    List<Object> steps = new ArrayList<>();
    counts.forEach(
        (step, count) -> {
          Map<String, Object> one = new LinkedHashMap<>();
          one.put("columns_from", step);
          one.put("rows", count);
          steps.add(one);
        });
    return steps;
  }

  /** The largest of 1, 2, 5, 10, 20, 50 ... that is no larger. */
  static long stepBelow(long columns) {
    long ten = 1;
    while (columns / ten >= 10) {
      ten *= 10;
    }
    long first = columns / ten;
    return (first >= 5 ? 5 : first >= 2 ? 2 : first) * ten;
  }

  private static List<Object> phases(LayoutResult result) {
    List<Object> phases = new ArrayList<>();
    LatencyLog latencies = result.latencies();
    List<Schedule.Stretch> stretches = result.schedule().stretches();
    for (int i = 0; i < stretches.size(); i++) {
      Schedule.Stretch stretch = stretches.get(i);
      Map<String, @Nullable Object> one = new LinkedHashMap<>();
      one.put("name", stretch.name());
      one.put("from_seconds", stretch.fromNanos() / 1e9);
      one.put("to_seconds", stretch.toNanos() / 1e9);
      NodeLoads loads = result.placing().phase(i);
      one.put("node_max_over_mean", NodeLoads.maxOverMean(loads.writes()));
      one.put("node_max_over_mean_worst_second", loads.worstSecond());
      one.put("latency_ms", latencies == null ? null : RunReport.latencies(latencies.phase(i)));
      phases.add(one);
    }
    return phases;
  }

  private static List<Object> curve(Histogram micros) {
    List<Object> points = new ArrayList<>();
    for (double percentile : CURVE) {
      points.add(List.of(percentile, LatencyLog.millis(micros, percentile)));
    }
    return points;
  }

  private static Map<String, Object> bySecond(LatencyLog latencies) {
    List<LatencyLog.Second> seconds = latencies.seconds();
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("second", seconds.stream().map(LatencyLog.Second::second).toList());
    columns.put("p50_ms", seconds.stream().map(LatencyLog.Second::p50Millis).toList());
    columns.put("p99_ms", seconds.stream().map(LatencyLog.Second::p99Millis).toList());
    columns.put("max_ms", seconds.stream().map(LatencyLog.Second::maxMillis).toList());
    return columns;
  }
}
