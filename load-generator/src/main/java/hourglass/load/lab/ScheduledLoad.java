package hourglass.load.lab;

import hourglass.bucketing.shards.ColumnBatch;
import hourglass.load.lab.traffic.Schedule;
import java.util.List;

/** Events of one hour and type that are sent together. */
final class ScheduledLoad implements ColumnBatch {
  private final long[] bytesBefore;

  /**
   * @param events in the order of sending
   */
  ScheduledLoad(Schedule schedule, List<Integer> events) {
    bytesBefore = new long[events.size() + 1];
    for (int i = 0; i < events.size(); i++) {
      bytesBefore[i + 1] = bytesBefore[i] + schedule.bytes(events.get(i));
    }
  }

  @Override
  public int columns() {
    return bytesBefore.length - 1;
  }

  @Override
  public long bytes(int from, int to) {
    return bytesBefore[to] - bytesBefore[from];
  }
}
