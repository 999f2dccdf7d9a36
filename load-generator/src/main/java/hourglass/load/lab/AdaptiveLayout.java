package hourglass.load.lab;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.ColumnBatch;
import hourglass.bucketing.shards.Placement;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.bucketing.simulation.ClaimPath;
import hourglass.bucketing.simulation.Simulation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Chooses the rows of a {@link Simulation} whose writers take windows in turn, and whose claims
 * take no time. The time is that of the schedule. Not thread-safe.
 */
final class AdaptiveLayout implements Layout, Simulation.Observer {
  /** The time between two ticks of a planner, which needs one every few seconds. */
  private static final long TICK_MICROS = 2_000_000;

  private final Simulation simulation;
  private final List<Simulation.Writer> writers;
  private final long startMillis;
  private long tickedMicros;
  private int turn;

  /** The rows of the present window, null where there is none yet. */
  private RowKey[] rows = {};

  /** The positions in the window of the events that are being placed. */
  private List<Integer> placed = List.of();

  AdaptiveLayout(
      Schedule schedule, Placement nodes, PlannerOptions options, int writerCount, long seed) {
    startMillis = (schedule.startTicks() - Ticks.UNIX_EPOCH) / Ticks.PER_MILLI;
    tickedMicros = 1_000 * (startMillis - schedule.warmUpNanos() / 1_000_000);
    simulation = new Simulation(options, nodes, ClaimPath.AT_ONCE, new SplittableRandom(seed));
    simulation.advanceTo(tickedMicros);
    writers = IntStream.range(0, writerCount).mapToObj(i -> simulation.writer(0, this)).toList();
  }

  @Override
  public RowKey[] rows(List<Event> events) {
    long dueMillis = events.get(events.size() - 1).dueNanos() / 1_000_000;
    simulation.advanceTo(1_000 * (startMillis + dueMillis));
    if (simulation.nowMicros() - tickedMicros >= TICK_MICROS) {
      tickedMicros = simulation.nowMicros();
      writers.forEach(Simulation.Writer::tick);
    }
    Map<TypeHour, List<Integer>> groups = new LinkedHashMap<>();
    for (int i = 0; i < events.size(); i++) {
      TypeHour group = new TypeHour(Hour.ofTicks(events.get(i).ticks()), events.get(i).type());
      groups.computeIfAbsent(group, added -> new ArrayList<>()).add(i);
    }
    Simulation.Writer writer = writers.get(turn++ % writers.size());
    rows = new RowKey[events.size()];
    groups.forEach(
        (group, positions) -> {
          placed = positions;
          writer.push(group, ColumnBatch.of(positions.size(), Event.BYTES));
          if (writer.isWaiting()) {
            throw new IllegalStateException("the planner has no row, and wants none, for " + group);
          }
        });
    return rows;
  }

  @Override
  public void onWrite(Simulation.Batch batch, RowKey row, int from, int to) {
    for (int i = from; i < to; i++) {
      rows[placed.get(i)] = row;
    }
  }
}
