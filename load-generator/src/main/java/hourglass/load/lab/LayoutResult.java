package hourglass.load.lab;

import hourglass.load.lab.traffic.Schedule;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How a layout fared.
 *
 * @param name of the layout
 * @param written events that were written, repeats included
 * @param failed events that were given up
 * @param seconds from the start to the last write's end
 * @param latencies null where nothing was timed
 * @param trouble the first that made an event fail
 * @param nodeCounts batches that each node says it wrote; empty where nodes do not say
 */
record LayoutResult(
    String name,
    Schedule schedule,
    Placing placing,
    long written,
    long failed,
    double seconds,
    @Nullable LatencyLog latencies,
    @Nullable String trouble,
    Map<String, Long> nodeCounts) {
  /** Adds the batches that nodes counted between two readings. */
  LayoutResult counted(Map<String, Long> before, Map<String, Long> after) {
    Map<String, Long> counts = new TreeMap<>();
    after.forEach((node, count) -> counts.put(node, count - before.getOrDefault(node, 0L)));
    return new LayoutResult(
        name, schedule, placing, written, failed, seconds, latencies, trouble, counts);
  }

  double eventsPerSecond() {
    return written / Math.max(seconds, 1e-9);
  }
}
