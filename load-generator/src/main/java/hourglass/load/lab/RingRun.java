package hourglass.load.lab;

import hourglass.bucketing.RowKey;
import hourglass.load.lab.traffic.Schedule;
import java.util.List;

/** Writes a schedule to a simulated ring. Each write is counted when it is due. */
record RingRun(Schedule schedule, List<Schedule.Window> windows, NodePlacement nodes) {
  LayoutResult run(String name, Layout layout) {
    WriteCounts counts = new WriteCounts(schedule, nodes);
    for (Schedule.Window window : windows) {
      RowKey[] rows = layout.rows(schedule, window.from(), window.to());
      for (int event = window.from(); event < window.to(); event++) {
        int second = second(schedule.dueNanos(event));
        counts.add(event, rows[event - window.from()], second, window.phase());
      }
    }
    counts.end();
    double seconds = schedule.lengthNanos() / 1e9;
    return new LayoutResult(name, counts, schedule.measured(), 0, seconds, null, null);
  }

  static int second(long nanos) {
    return (int) Math.floorDiv(nanos, 1_000_000_000L);
  }
}
