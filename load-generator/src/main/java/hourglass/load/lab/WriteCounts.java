package hourglass.load.lab;

import hourglass.bucketing.RowKey;
import hourglass.bucketing.simulation.NodeLoads;
import hourglass.bucketing.simulation.RowLoad;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the writes of a schedule by row and node. A repeat in the row of its event adds a write
 * but no column. The warm-up counts only for rows. Not thread-safe.
 */
final class WriteCounts {
  private static final int INTERVALS_MAX = 240;

  final Schedule schedule;
  final NodePlacement placement;
  final NodeLoads loads;
  final List<NodeLoads> phases;
  private final Map<RowKey, RowLoad> rows = new HashMap<>();

  /** The row of the last write of each event, by its number. */
  private final RowLoad[] rowsByOriginal;

  WriteCounts(Schedule schedule, NodePlacement placement) {
    this.schedule = schedule;
    this.placement = placement;
    int intervalSeconds = 1 + (int) (schedule.lengthNanos() / 1_000_000_000 / INTERVALS_MAX);
    int nodes = placement.names().size();
    loads = new NodeLoads(nodes, intervalSeconds);
    phases = schedule.phases().stream().map(p -> new NodeLoads(nodes, intervalSeconds)).toList();
    rowsByOriginal = new RowLoad[schedule.events().size()];
  }

  /**
   * Counts the write of an event.
   *
   * @param event each event once, in order
   * @param second the second since the start, never before that of the last call
   */
  @SuppressWarnings("ReferenceEquality") // each row has one object
  void add(Event event, RowKey key, int second) {
    RowLoad row = rows.computeIfAbsent(key, added -> new RowLoad(added, placement.of(added)));
    boolean isNew = rowsByOriginal[event.original()] != row;
    rowsByOriginal[event.original()] = row;
    row.add(second, 1, isNew ? 1 : 0, isNew ? Event.BYTES : 0);
    if (event.isMeasured()) {
      loads.add(second, row.nodes, 1, Event.BYTES);
      phases.get(event.phase()).add(second, row.nodes, 1, Event.BYTES);
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
