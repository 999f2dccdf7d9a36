package hourglass.load.lab;

import hourglass.bucketing.Hour;
import hourglass.bucketing.RowKey;
import hourglass.bucketing.Ticks;
import hourglass.bucketing.TypeHour;
import hourglass.bucketing.shards.Assignment;
import hourglass.bucketing.shards.ClaimRequest;
import hourglass.bucketing.shards.PlannerOptions;
import hourglass.bucketing.shards.ShardPlanner;
import hourglass.load.lab.traffic.Schedule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Rows as {@link ShardPlanner} plans them, for writers that take turns and share a directory of
 * claims. Time is that of the schedule. Not for several threads.
 */
final class AdaptiveLayout implements Layout {
  /** A planner wants to be looked after every few seconds. */
  private static final long LOOK_MILLIS = 2_000;

  private static final int LOOK_REQUESTS_MAX = 1_000;

  private final ClaimBook book = new ClaimBook();
  private final List<ShardPlanner> writers = new ArrayList<>();
  private final long startMillis;
  private long nowMillis;
  private long lookedMillis;
  private int turn;

  AdaptiveLayout(
      Schedule schedule, NodePlacement nodes, PlannerOptions options, int writerCount, long seed) {
    long startTicks = schedule.ticks(0) - schedule.dueNanos(0) / 100;
    startMillis = (startTicks - Ticks.UNIX_EPOCH) / Ticks.PER_MILLI;
    nowMillis = startMillis - schedule.warmUpNanos() / 1_000_000;
    lookedMillis = nowMillis;
    SplittableRandom random = new SplittableRandom(seed);
    List<String> names = nodes.names();
    for (int i = 1; i <= writerCount; i++) {
      writers.add(
          new ShardPlanner(
              options,
              "writer " + i,
              row -> Arrays.stream(nodes.of(row)).mapToObj(names::get).toList(),
              () -> nowMillis,
              () -> nowMillis * 1_000_000,
              random.split()));
    }
  }

  @Override
  public RowKey[] rows(Schedule schedule, int from, int to) {
    nowMillis = startMillis + schedule.dueNanos(to - 1) / 1_000_000;
    if (nowMillis - lookedMillis >= LOOK_MILLIS) {
      lookedMillis = nowMillis;
      writers.forEach(each -> each.tick(LOOK_REQUESTS_MAX).forEach(request -> tell(each, request)));
    }
    Map<TypeHour, List<Integer>> groups = new LinkedHashMap<>();
    for (int event = from; event < to; event++) {
      groups
          .computeIfAbsent(
              new TypeHour(Hour.ofTicks(schedule.ticks(event)), schedule.type(event)),
              added -> new ArrayList<>())
          .add(event);
    }
    ShardPlanner writer = writers.get(turn++ % writers.size());
    RowKey[] rows = new RowKey[to - from];
    groups.forEach(
        (group, events) -> {
          ScheduledLoad load = new ScheduledLoad(schedule, events);
          for (Assignment assignment : assign(writer, group, load)) {
            RowKey row = group.row(assignment.shard());
            for (int i = assignment.from(); i < assignment.to(); i++) {
              rows[events.get(i) - from] = row;
            }
          }
        });
    return rows;
  }

  private List<Assignment> assign(ShardPlanner writer, TypeHour group, ScheduledLoad load) {
    List<Assignment> assignments = new ArrayList<>();
    writer.record(group, load);
    int at = 0;
    while (true) {
      at = writer.assign(group, load, at, assignments);
      ClaimRequest request = writer.nextClaim(group);
      if (request != null) {
        tell(writer, request);
      }
      if (at == load.columns()) {
        return assignments;
      }
      if (request == null) {
        throw new IllegalStateException("the planner has no row, and wants none, for " + group);
      }
    }
  }

  private void tell(ShardPlanner writer, ClaimRequest request) {
    writer.onAnswer(request, book.tell(request));
  }

  /** How often the directory was asked; once per some 100,000 columns, if all is well. */
  long claimRequests() {
    return book.requests();
  }
}
