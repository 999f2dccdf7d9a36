package hourglass.load.lab;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.simulation.NodeLoads;
import hourglass.bucketing.simulation.RowLoad;
import hourglass.load.lab.traffic.Schedule;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts writes by row and node. A repeat in the row of its event adds a write but no column. The
 * warm-up counts only for rows. Not thread-safe.
 */
final class WriteCounts {
  private static final int INTERVALS_MAX = 240;

  final Schedule schedule;
  final NodePlacement placement;
  private final Map<RowKey, RowLoad> rows = new HashMap<>();
  private final RowLoad[] rowsByOriginal;

  final NodeLoads loads;
  final List<NodeLoads> phases;

  WriteCounts(Schedule schedule, NodePlacement placement) {
    this.schedule = schedule;
    this.placement = placement;
    int intervalSeconds = 1 + (int) (schedule.lengthNanos() / 1_000_000_000 / INTERVALS_MAX);
    int nodes = placement.names().size();
    loads = new NodeLoads(nodes, intervalSeconds);
    phases = schedule.phases().stream().map(p -> new NodeLoads(nodes, intervalSeconds)).toList();
    rowsByOriginal = new RowLoad[schedule.size()];
  }

  /**
   * Counts the write of an event.
   *
   * @param event each event once, in order
   * @param second the second since the start, never before that of the last call
   */
  @SuppressWarnings("ReferenceEquality") // each row has one object
  void add(int event, RowKey key, int second, int phase) {
    int bytes = schedule.bytes(event);
    RowLoad row = rows.computeIfAbsent(key, added -> new RowLoad(added, placement.of(added)));
    int original = schedule.original(event);
    boolean isNew = rowsByOriginal[original] != row;
    row.add(second, 1, isNew ? 1 : 0, isNew ? bytes : 0);
    rowsByOriginal[original] = row;
    if (schedule.isMeasured(event)) {
      loads.add(second, row.nodes, 1, bytes);
      phases.get(phase).add(second, row.nodes, 1, bytes);
    }
  }

  void end() {
    loads.end();
    phases.forEach(NodeLoads::end);
  }

  Collection<RowLoad> rows() {
    return rows.values();
  }
}
