package hourglass.query;

import hourglass.bucketing.FixedShards;
import hourglass.bucketing.Hour;
import hourglass.bucketing.shards.PlannerOptions;
import java.util.Map;

/**
 * The row layout that is configured in this process. Processes that write may be configured
 * differently.
 *
 * @param shards the types with a fixed number of rows instead
 */
public record RowLayout(PlannerOptions planner, FixedShards shards) {
  public static final RowLayout DEFAULTS =
      new RowLayout(PlannerOptions.DEFAULTS, new FixedShards(FixedShards.PLANNED, Map.of()));

  public boolean isFixed(Hour hour, String type) {
    return shards.shard(hour, type, hour.startTicks(), 0) != FixedShards.PLANNED;
  }
}
