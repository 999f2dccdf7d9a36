package hourglass.load.lab;

import hourglass.bucketing.RowKey;
import hourglass.load.lab.traffic.Schedule;
import java.util.Arrays;
import java.util.List;

/**
 * Writes a schedule to a simulated ring. A model computes latencies: each node does one write after
 * the other at its rate, and a write is done when all nodes of its row have done it.
 *
 * @param nodeRate the writes a second of a node; 0 if nothing is timed
 */
record RingRun(
    Schedule schedule, List<Schedule.Window> windows, NodePlacement nodes, double nodeRate) {
  LayoutResult run(String name, Layout layout) {
    WriteCounts counts = new WriteCounts(schedule, nodes);
    LatencyLog latencies = new LatencyLog(schedule.phases().size());
    double[] freeNanos = new double[nodes.names().size()];
    for (Schedule.Window window : windows) {
      RowKey[] rows = layout.rows(schedule, window.from(), window.to());
      for (int event = window.from(); event < window.to(); event++) {
        long due = schedule.dueNanos(event);
        RowKey key = rows[event - window.from()];
        int[] written = counts.add(event, key, second(due), window.phase()).nodes;
        if (nodeRate > 0) {
          long nanos = write(due, written, freeNanos);
          if (window.isMeasured()) {
            latencies.record(second(due), window.phase(), nanos, second(due + nanos), 1);
          }
        }
      }
    }
    counts.end();
    latencies.endSecond();
    double end =
        Math.max((double) schedule.lengthNanos(), Arrays.stream(freeNanos).max().orElse(0));
    LatencyLog timed = nodeRate > 0 ? latencies : null;
    return new LayoutResult(name, counts, schedule.measured(), 0, (long) end / 1e9, timed, null);
  }

  /** Returns the nanoseconds from the arrival of a write to its end. Arrivals never decrease. */
  private long write(long atNanos, int[] onNodes, double[] freeNanos) {
    double done = (double) atNanos;
    for (int node : onNodes) {
      freeNanos[node] = Math.max(freeNanos[node], (double) atNanos) + 1e9 / nodeRate;
      done = Math.max(done, freeNanos[node]);
    }
    return (long) done - atNanos;
  }

  static int second(long nanos) {
    return (int) Math.floorDiv(nanos, 1_000_000_000L);
  }
}
