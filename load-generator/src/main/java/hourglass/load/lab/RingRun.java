package hourglass.load.lab;

import hourglass.bucketing.RowKey;
import hourglass.load.lab.traffic.Schedule;
import hourglass.load.lab.traffic.SendWindow;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes a schedule to a ring that is only computed, so that minutes take seconds. Where a node's
 * pace is given, latencies are those of {@link NodeQueues}.
 *
 * @param nodeRate writes a second that a node can do; 0: not said, and nothing is timed
 */
record RingRun(Schedule schedule, List<SendWindow> windows, NodePlacement nodes, double nodeRate) {
  LayoutResult run(String name, Layout layout) {
    int count = nodes.names().size();
    return nodeRate == 0
        ? run(name, layout, null, null)
        : run(
            name,
            layout,
            new LatencyLog(schedule.stretches().size()),
            new NodeQueues(count, nodeRate));
  }

  private LayoutResult run(
      String name, Layout layout, @Nullable LatencyLog latencies, @Nullable NodeQueues queues) {
    Placing placing = new Placing(schedule, nodes);
    for (SendWindow window : windows) {
      RowKey[] rows = layout.rows(schedule, window.from(), window.to());
      for (int event = window.from(); event < window.to(); event++) {
        long due = schedule.dueNanos(event);
        RowLoad row =
            placing.place(event, rows[event - window.from()], second(due), window.stretch());
        if (latencies != null && queues != null) {
          long nanos = queues.write(due, row.nodes());
          if (window.isMeasured(schedule)) {
            latencies.record(second(due), window.stretch(), nanos, second(due + nanos), 1);
          }
        }
      }
    }
    placing.end();
    long end = schedule.lengthNanos();
    if (latencies != null && queues != null) {
      latencies.end();
      end = Math.max(end, queues.idleNanos());
    }
    return new LayoutResult(
        name, schedule, placing, schedule.measured(), 0, end / 1e9, latencies, null, Map.of());
  }

  private static int second(long nanos) {
    return (int) Math.floorDiv(nanos, 1_000_000_000L);
  }
}
