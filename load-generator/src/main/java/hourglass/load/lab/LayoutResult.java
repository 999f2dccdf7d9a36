package hourglass.load.lab;

import hourglass.load.lab.WriteCounts.RowLoad;
import hourglass.load.lab.traffic.Schedule;
import hourglass.load.send.RunReport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The results of a run by one layout.
 *
 * @param written repeats included
 * @param seconds from the start to the last write's end
 * @param latencies null where nothing was timed
 * @param failure the first that made an event fail
 */
record LayoutResult(
    String name,
    Schedule schedule,
    WriteCounts counts,
    long written,
    long failed,
    double seconds,
    @Nullable LatencyLog latencies,
    @Nullable String failure) {
  private static final int ROWS_SHOWN = 10;
  private static final double[] CURVE = {
    0, 10, 25, 50, 75, 90, 95, 98, 99, 99.5, 99.8, 99.9, 99.95, 99.99, 99.999, 100
  };

  /**
   * Every figure, for JSON.
   *
   * @param nodeBatches batches by the nodes' own counters; empty without such
   */
  Map<String, @Nullable Object> figures(Map<String, Long> nodeBatches) {
    NodeLoads loads = counts.loads;
    Collection<RowLoad> rows = counts.rows();
    Map<String, @Nullable Object> figures = new LinkedHashMap<>();
    figures.put("events", written);
    figures.put("events_failed", failed);
    figures.put("first_trouble", failure);
    figures.put("seconds", seconds);
    figures.put("events_per_second", written / Math.max(seconds, 1e-9));
    figures.put("node_max_over_mean", NodeLoads.maxOverMean(loads.writes));
    figures.put("node_max_over_mean_worst_second", loads.worstSecond);
    figures.put("worst_second_at", loads.worstSecondAt < 0 ? null : loads.worstSecondAt);
    figures.put("node_bytes_max_over_mean", NodeLoads.maxOverMean(loads.bytes));
    figures.put(
        "node_batches_max_over_mean",
        NodeLoads.maxOverMean(nodeBatches.values().stream().mapToLong(Long::longValue).toArray()));
    figures.put("rows", rows.size());
    figures.put("row_columns_max", rows.stream().mapToLong(row -> row.columns).max().orElse(0));
    figures.put("row_bytes_max", rows.stream().mapToLong(row -> row.bytes).max().orElse(0));
    figures.put(
        "row_writes_per_second_max",
        rows.stream().mapToInt(row -> row.writesPerSecondMax).max().orElse(0));
    figures.put("latency_ms", ofLatencies(log -> RunReport.latencies(log.whole)));
    figures.put("nodes", nodes(nodeBatches));
    figures.put(
        "widest_rows",
        rows.stream()
            .sorted(
                Comparator.comparingLong((RowLoad row) -> -row.columns).thenComparing(r -> r.key))
            .limit(ROWS_SHOWN)
            .map(this::row)
            .toList());
    figures.put("rows_by_columns", byColumns(rows));
    figures.put("phases", phases());
    figures.put(
        "latency_curve_ms",
        ofLatencies(
            log ->
                DoubleStream.of(CURVE)
                    .mapToObj(each -> List.of(each, LatencyLog.millis(log.whole, each)))
                    .toList()));
    figures.put("by_second", ofLatencies(log -> log.bySecond));
    figures.put("events_done_by_second", ofLatencies(log -> boxed(log.doneBySecond())));
    figures.put("interval_seconds", loads.intervalSeconds);
    figures.put(
        "node_writes_by_interval", loads.intervals.stream().map(LayoutResult::boxed).toList());
    return figures;
  }

  private @Nullable Object ofLatencies(Function<LatencyLog, Object> figure) {
    return latencies == null ? null : figure.apply(latencies);
  }

  private static Object boxed(long[] numbers) {
    return LongStream.of(numbers).boxed().toList();
  }

  private Map<String, Object> nodes(Map<String, Long> batches) {
    NodeLoads loads = counts.loads;
    double sum = LongStream.of(loads.writes).sum();
    Map<String, Object> nodes = new LinkedHashMap<>();
    for (int node = 0; node < loads.writes.length; node++) {
      String name = counts.nodeNames().get(node);
      Map<String, @Nullable Object> one = new LinkedHashMap<>();
      one.put("writes", loads.writes[node]);
      one.put("bytes", loads.bytes[node]);
      one.put("share", loads.writes[node] / Math.max(sum, 1));
      one.put("batches_counted_by_node", batches.get(name));
      nodes.put(name, one);
    }
    return nodes;
  }

  private Map<String, Object> row(RowLoad row) {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("row", row.key.toString());
    one.put("node", counts.nodeNames().get(row.nodes[0]));
    one.put("columns", row.columns);
    one.put("writes", row.writes);
    one.put("bytes", row.bytes);
    one.put("writes_per_second_max", row.writesPerSecondMax);
    return one;
  }

  private static List<Object> byColumns(Collection<RowLoad> rows) {
    TreeMap<Long, Long> counts = new TreeMap<>();
    rows.forEach(row -> counts.merge(stepBelow(row.columns), 1L, Long::sum));
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

  /** The largest of 1, 2, 5, 10, 20, 50 ... up to {@code columns}. */
  private static long stepBelow(long columns) {
    long ten = 1;
    while (columns / ten >= 10) {
      ten *= 10;
    }
    long first = columns / ten;
    return (first >= 5 ? 5 : first >= 2 ? 2 : first) * ten;
  }

  private List<Object> phases() {
    List<Object> all = new ArrayList<>();
    for (int i = 0; i < schedule.phases().size(); i++) {
      int number = i;
      Schedule.TimedPhase phase = schedule.phases().get(i);
      NodeLoads loads = counts.phases.get(i);
      Map<String, @Nullable Object> one = new LinkedHashMap<>();
      one.put("name", phase.name());
      one.put("from_seconds", phase.fromNanos() / 1e9);
      one.put("to_seconds", phase.toNanos() / 1e9);
      one.put("node_max_over_mean", NodeLoads.maxOverMean(loads.writes));
      one.put("node_max_over_mean_worst_second", loads.worstSecond);
      one.put("latency_ms", ofLatencies(log -> RunReport.latencies(log.phases.get(number))));
      all.add(one);
    }
    return all;
  }
}
