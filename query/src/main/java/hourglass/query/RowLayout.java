package hourglass.query;

import hourglass.bucketing.FixedShards;
import hourglass.bucketing.Hour;
import hourglass.bucketing.ShardPolicy;
import hourglass.bucketing.shards.PlannerOptions;
import java.util.Map;

/**
 * How the settings of this process lay out rows. Those of the processes that write may be others.
 *
 * @param planner how wide rows get, and how many are filled side by side
 * @param shards which types have a fixed number of rows instead
 */
public record RowLayout(PlannerOptions planner, FixedShards shards) {
  /** All types planned, by the planner's defaults. */
  public static final RowLayout DEFAULTS =
      new RowLayout(PlannerOptions.DEFAULTS, new FixedShards(ShardPolicy.PLANNED, Map.of()));

  /** Whether a type has an entry of its own, so that what is set for all others is not for it. */
  public boolean isListed(String type) {
    return shards.isListed(type);
  }

  /** Whether the number of a type's rows is fixed. */
  public boolean isFixed(Hour hour, String type) {
    return shards.shard(hour, type, hour.startTicks(), 0) != ShardPolicy.PLANNED;
  }
}
