package hourglass.load.lab;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.Assignment;
import hourglass.bucketing.shards.ClaimRequest;
import hourglass.bucketing.shards.ColumnBatch;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.bucketing.shards.ShardPlanner;
import hourglass.bucketing.simulation.SharedClaims;
import hourglass.load.lab.traffic.Schedule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Chooses the rows that {@link ShardPlanner} plans, for writers that act in turn and share claims
 * in memory. The time is that of the schedule. Not thread-safe.
 */
final class AdaptiveLayout implements Layout {
  /** The time between two ticks of a planner, which needs one every few seconds. */
  private static final long TICK_MILLIS = 2_000;

  private static final int TICK_REQUESTS_MAX = 1_000;

  private static final class Group implements ColumnBatch {
    private final long[] bytesBefore;

    Group(Schedule schedule, List<Integer> events) {
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

  private final SharedClaims claims = new SharedClaims();
  private final List<ShardPlanner> writers = new ArrayList<>();
  private final long startMillis;
  private long nowMillis;
  private long tickedMillis;
  private int turn;

  AdaptiveLayout(
      Schedule schedule, NodePlacement nodes, PlannerOptions options, int writerCount, long seed) {
    long startTicks = schedule.ticks(0) - schedule.dueNanos(0) / 100;
    startMillis = (startTicks - Ticks.UNIX_EPOCH) / Ticks.PER_MILLI;
    nowMillis = startMillis - schedule.warmUpNanos() / 1_000_000;
    tickedMillis = nowMillis;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 1; i <= writerCount; i++) {
      writers.add(
          new ShardPlanner(
              options,
              "writer " + i,
              row -> Arrays.stream(nodes.of(row)).mapToObj(nodes.names()::get).toList(),
              () -> nowMillis,
              () -> nowMillis * 1_000_000,
              random.split()));
    }
  }

  @Override
  public RowKey[] rows(Schedule schedule, int from, int to) {
    nowMillis = startMillis + schedule.dueNanos(to - 1) / 1_000_000;
    if (nowMillis - tickedMillis >= TICK_MILLIS) {
      tickedMillis = nowMillis;
      writers.forEach(
          each -> each.tick(TICK_REQUESTS_MAX).forEach(request -> claim(each, request)));
    }
    Map<TypeHour, List<Integer>> groups = new LinkedHashMap<>();
    for (int event = from; event < to; event++) {
      TypeHour group = new TypeHour(Hour.ofTicks(schedule.ticks(event)), schedule.type(event));
      groups.computeIfAbsent(group, added -> new ArrayList<>()).add(event);
    }
    ShardPlanner writer = writers.get(turn++ % writers.size());
    RowKey[] rows = new RowKey[to - from];
    groups.forEach(
        (group, events) -> {
          for (Assignment assignment : assign(writer, group, new Group(schedule, events))) {
            RowKey row = group.row(assignment.shard());
            for (int i = assignment.from(); i < assignment.to(); i++) {
              rows[events.get(i) - from] = row;
            }
          }
        });
    return rows;
  }

  private List<Assignment> assign(ShardPlanner writer, TypeHour group, ColumnBatch events) {
    List<Assignment> assignments = new ArrayList<>();
    writer.record(group, events);
    int at = 0;
    while (true) {
      at = writer.assign(group, events, at, assignments);
      ClaimRequest request = writer.nextClaim(group);
      if (request != null) {
        claim(writer, request);
      }
      if (at == events.columns()) {
        return assignments;
      }
      if (request == null) {
        throw new IllegalStateException("the planner has no row, and wants none, for " + group);
      }
    }
  }

  private void claim(ShardPlanner writer, ClaimRequest request) {
    claims.publish(request);
    writer.onAnswer(request, claims.of(request.typeHour()));
  }
}
