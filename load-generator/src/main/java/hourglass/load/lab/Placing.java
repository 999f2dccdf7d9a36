package hourglass.load.lab;

import hourglass.bucketing.RowKey;
import hourglass.load.lab.traffic.Schedule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the writes of rows and nodes. A repeat that finds the row of its event adds a write to it
 * and no column. The warm-up counts for rows, which are as wide as they are, and not for nodes. Not
 * for several threads.
 */
final class Placing {
  /** A picture of a run has no more points than that. */
  private static final int INTERVALS_MAX = 240;

  private final Schedule schedule;
  private final NodePlacement nodes;
  private final NodeLoads loads;
  private final List<NodeLoads> phases = new ArrayList<>();
  private final Map<RowKey, RowLoad> rows = new HashMap<>();
  private final RowLoad[] rowsByOriginal;

  Placing(Schedule schedule, NodePlacement nodes) {
    this.schedule = schedule;
    this.nodes = nodes;
    loads = new NodeLoads(nodes.names().size(), intervalSeconds(schedule));
    for (int i = 0; i < schedule.stretches().size(); i++) {
      phases.add(new NodeLoads(nodes.names().size(), intervalSeconds(schedule)));
    }
    rowsByOriginal = new RowLoad[schedule.size()];
  }

  private static int intervalSeconds(Schedule schedule) {
    return 1 + (int) (schedule.lengthNanos() / 1_000_000_000 / INTERVALS_MAX);
  }

  /**
   * @param event each once, in order
   * @param second since the start; never falls; of the warm-up none counts
   * @param phase that the event is of
   */
  RowLoad place(int event, RowKey key, int second, int phase) {
    int bytes = schedule.bytes(event);
    RowLoad row = rows.get(key);
    if (row == null) {
      row = new RowLoad(key, nodes.of(key));
      rows.put(key, row);
    }
    int original = schedule.original(event);
    row.add(second, bytes, isNew(original, row));
    rowsByOriginal[original] = row;
    if (schedule.isMeasured(event)) {
      loads.add(second, row.nodes(), bytes);
      phases.get(phase).add(second, row.nodes(), bytes);
    }
    return row;
  }

  @SuppressWarnings("ReferenceEquality") // there is one of each row
  private boolean isNew(int original, RowLoad row) {
    return rowsByOriginal[original] != row;
  }

  /** After the last event. */
  void end() {
    loads.end();
    phases.forEach(NodeLoads::end);
  }

  /** The loads of nodes in one phase. */
  NodeLoads phase(int number) {
    return phases.get(number);
  }

  NodePlacement nodes() {
    return nodes;
  }

  NodeLoads loads() {
    return loads;
  }

  Collection<RowLoad> rows() {
    return rows.values();
  }
}
