package hourglass.load.lab;

import hourglass.bucketing.simulation.NodeLoads;
import hourglass.bucketing.simulation.RowLoad;
import hourglass.load.send.Latencies;
import io.vertx.core.json.JsonObject;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The results of a run by one layout.
 *
 * @param written the number of events written, including repeats
 * @param seconds the time from the start to the end of the last write
 * @param latencies null if nothing was timed
 * @param failure the first failure of an event, or null
 */
record LayoutResult(
    String name,
    WriteCounts counts,
    long written,
    long failed,
    double seconds,
    @Nullable LatencyLog latencies,
    @Nullable String failure) {
  private static final int ROWS_SHOWN = 10;

  /**
   * Returns every figure, for JSON.
   *
   * @param nodeBatches the batches by the nodes' own counters; empty if there are none
   */
  JsonObject figures(Map<String, Long> nodeBatches) {
    NodeLoads loads = counts.loads;
    Collection<RowLoad> rows = counts.rows();
    return new JsonObject()
        .put("events", written)
        .put("events_failed", failed)
        .put("first_trouble", failure)
        .put("seconds", seconds)
        .put("events_per_second", written / Math.max(seconds, 1e-9))
        .put("node_max_over_mean", NodeLoads.maxOverMean(loads.writes()))
        .put("node_max_over_mean_worst_second", loads.worstSecond())
        .put("worst_second_at", loads.worstSecondAt() < 0 ? null : loads.worstSecondAt())
        .put("node_bytes_max_over_mean", NodeLoads.maxOverMean(loads.bytes()))
        .put(
            "node_batches_max_over_mean",
            NodeLoads.maxOverMean(
                nodeBatches.values().stream().mapToLong(Long::longValue).toArray()))
        .put("rows", rows.size())
        .put("row_columns_max", rows.stream().mapToLong(RowLoad::columns).max().orElse(0))
        .put("row_bytes_max", rows.stream().mapToLong(RowLoad::bytes).max().orElse(0))
        .put(
            "row_writes_per_second_max",
            rows.stream().mapToLong(RowLoad::writesPerSecondMax).max().orElse(0))
        .put("latency_ms", ofLatencies(log -> Latencies.figures(log.whole)))
        .put("nodes", nodes(nodeBatches))
        .put(
            "widest_rows",
            rows.stream()
                .sorted(
                    Comparator.comparingLong((RowLoad row) -> -row.columns())
                        .thenComparing(r -> r.key))
                .limit(ROWS_SHOWN)
                .map(this::row)
                .toList())
        .put("rows_by_columns", byColumns(rows))
        .put(
            "phases",
            IntStream.range(0, counts.schedule.phases().size()).mapToObj(this::phase).toList())
        .put("latency_curve_ms", ofLatencies(log -> Latencies.curve(log.whole)))
        .put("by_second", ofLatencies(log -> log.bySecond))
        .put("events_done_by_second", ofLatencies(log -> log.doneBySecond))
        .put("interval_seconds", loads.intervalSeconds())
        .put(
            "node_writes_by_interval",
            loads.intervals().stream().map(each -> LongStream.of(each).boxed().toList()).toList());
  }

  private @Nullable Object ofLatencies(Function<LatencyLog, Object> figure) {
    return latencies == null ? null : figure.apply(latencies);
  }

  private JsonObject nodes(Map<String, Long> batches) {
    NodeLoads loads = counts.loads;
    double sum = LongStream.of(loads.writes()).sum();
    JsonObject nodes = new JsonObject();
    for (int node = 0; node < loads.writes().length; node++) {
      String name = counts.placement.names().get(node);
      nodes.put(
          name,
          new JsonObject()
              .put("writes", loads.writes()[node])
              .put("bytes", loads.bytes()[node])
              .put("share", loads.writes()[node] / Math.max(sum, 1))
              .put("batches_counted_by_node", batches.get(name)));
    }
    return nodes;
  }

  private JsonObject row(RowLoad row) {
    return new JsonObject()
        .put("row", row.key.toString())
        .put("node", counts.placement.names().get(row.nodes[0]))
        .put("columns", row.columns())
        .put("writes", row.writes())
        .put("bytes", row.bytes())
        .put("writes_per_second_max", row.writesPerSecondMax());
  }

  private static List<JsonObject> byColumns(Collection<RowLoad> rows) {
    TreeMap<Long, Long> counts = new TreeMap<>();
    rows.forEach(row -> counts.merge(stepBelow(row.columns()), 1L, Long::sum));
    return counts.entrySet().stream()
        .map(
            step ->
                new JsonObject().put("columns_from", step.getKey()).put("rows", step.getValue()))
        .toList();
  }

  /** Returns the largest of 1, 2, 5, 10, 20, 50 ... that is not above {@code columns}. */
  private static long stepBelow(long columns) {
    long ten = 1;
    while (columns / ten >= 10) {
      ten *= 10;
    }
    long first = columns / ten;
    return (first >= 5 ? 5 : first >= 2 ? 2 : first) * ten;
  }

  private JsonObject phase(int number) {
    Schedule schedule = counts.schedule;
    NodeLoads loads = counts.phases.get(number);
    return new JsonObject()
        .put("name", schedule.phases().get(number).name())
        .put("from_seconds", schedule.beginNanos(number) / 1e9)
        .put("to_seconds", schedule.beginNanos(number + 1) / 1e9)
        .put("node_max_over_mean", NodeLoads.maxOverMean(loads.writes()))
        .put("node_max_over_mean_worst_second", loads.worstSecond())
        .put("latency_ms", ofLatencies(log -> Latencies.figures(log.phases.get(number))));
  }
}
