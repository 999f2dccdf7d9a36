package hourglass.load;

import java.util.List;

/**
 * Writes a schedule to a ring that is only computed, so that minutes take seconds. Where a node's
 * pace is given, latencies are those of {@link NodeQueues}.
 *
 * @param nodeRate writes a second that a node can do; 0: not said, and nothing is timed
 */
record RingRun(Schedule schedule, NodeMap nodes, double nodeRate) {
  LayoutResult run(String name, Layout layout) {
    Placing placing = new Placing(schedule, layout, nodes);
    if (nodeRate == 0) {
      for (int event = 0; event < schedule.size(); event++) {
        placing.place(event, second(event));
      }
      placing.loads().endSecond();
      double seconds = schedule.lengthNanos() / 1e9;
      return new LayoutResult(name, schedule, placing, schedule.size(), 0, seconds, null, null);
    }
    return timed(name, placing);
  }

  private LayoutResult timed(String name, Placing placing) {
    List<Schedule.Stretch> stretches = schedule.stretches();
    LatencyLog latencies = new LatencyLog(stretches.size());
    NodeQueues queues = new NodeQueues(nodes.names().size(), nodeRate);
    int stretch = 0;
    for (int event = 0; event < schedule.size(); event++) {
      long due = schedule.dueNanos(event);
      while (due >= stretches.get(stretch).toNanos()) {
        stretch++;
      }
      int[] keepers = placing.place(event, second(event)).nodes();
      long nanos = queues.write(due, keepers);
      latencies.record(second(event), stretch, nanos, second(due + nanos), 1);
    }
    placing.loads().endSecond();
    latencies.end();
    double seconds = Math.max(schedule.lengthNanos(), queues.idleNanos()) / 1e9;
    return new LayoutResult(name, schedule, placing, schedule.size(), 0, seconds, latencies, null);
  }

  private int second(int event) {
    return second(schedule.dueNanos(event));
  }

  private static int second(long nanos) {
    return (int) (nanos / 1_000_000_000);
  }
}
